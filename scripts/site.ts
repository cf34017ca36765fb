/**
 * `npm run site`: builds the documentation as a small static site in `.cache/site`: the pages of the repository, one of each rule, the
 * playground, and a search that needs no server. Any web server can serve the folder, and a browser can open it from disk.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { build } from "esbuild";
import { shareLink } from "../client/playground/shared.ts";
import { home } from "../server/src/cli/home.ts";
import { rules } from "../server/src/rules/index.ts";
import { type Frame, htmlPage, titleOf } from "./docs/html-pages.ts";
import { buildPlayground, sharedExample } from "./playground.ts";

const root = join(import.meta.dirname, "..");

/** A page of the site. Both paths count from their roots. */
interface Page {
  readonly source: string;
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

function pageFrom(source: string, path = `${basename(source, ".md")}.html`): Page {
  // Comments, such as where the page comes from, are for those who would edit it.
  const markdown = readFileSync(join(root, source), "utf8")
    .replace(/^<!--.*?-->$/gms, "")
    .trimStart();
  return { source, path, title: titleOf(markdown), markdown };
}

/** The pages, those of the menu first. */
function sitePages(): readonly Page[] {
  const inFolder = (folder: string) => readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
  return [
    pageFrom("README.md", "index.html"),
    ...inFolder("docs").map((name) => pageFrom(`docs/${name}`)),
    ...inFolder("server/docs").map((name) => pageFrom(`server/docs/${name}`)),
    pageFrom("CHANGELOG.md"),
    pageFrom("SECURITY.md"),
    ...rules.map(({ id }) => pageFrom(`server/docs/rules/${id}.md`, `rules/${id}.html`)),
  ];
}

const style = `
<style>
.site { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; border-bottom: 1px solid var(--line); padding-bottom: .75rem; margin-bottom: 1rem; }
#search { font: inherit; flex: 1 1 12rem; min-width: 0; padding: .25rem .5rem; }
#results { flex-basis: 100%; margin: 0; padding: 0; list-style: none; } #results li { padding: .25rem 0; } #results small { display: block; }
</style>
`;

/** Builds the site into the folder. */
export async function buildSite(folder = join(root, ".cache/site")): Promise<string> {
  const pages = sitePages();
  const pathOf = new Map(pages.map(({ source, path }) => [source, path]));
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const page of pages) {
    const tried = await tryLinks(page);
    write(page.path, htmlPage(page.markdown.replace(/^(# .*\n)/, `$1${tried}`), frameOf(page, pages, pathOf, folder)));
  }
  write("search.js", await searchScript(pages));
  await buildPlayground(join(folder, "playground.html"), "rules/{rule}.html");
  return folder;
}

function frameOf(page: Page, pages: readonly Page[], pathOf: ReadonlyMap<string, string>, folder: string): Frame {
  const up = page.path.includes("/") ? "../" : "";
  const menu = pages.filter(({ path }) => !path.includes("/") && !/^(?:CHANGELOG|SECURITY|index)/.test(path));
  const links = menu.map(({ path, title }) => `<a href="${up}${path}"${path === page.path ? ' aria-current="page"' : ""}>${title}</a>`);
  return {
    head: `${style}<script defer src="${up}search.js" data-up="${up}"></script>\n`,
    before: `<nav class="site" aria-label="Pages"><a href="${up}index.html"><strong>gpu-qualifiers</strong></a> <a href="${up}playground.html">Playground</a> ${links.join(" ")}
<input id="search" type="search" placeholder="Search rules and pages" aria-label="Search" autocomplete="off"><ul id="results" aria-live="polite"></ul></nav>\n`,
    linkOf(address) {
      if (/^(?:\w+:|#)/.test(address)) return address;
      const [target = "", heading] = address.split("#");
      if (target === "PLAYGROUND") return `${up}playground.html#${heading}`;
      const source = posix.join(posix.dirname(page.source), target);
      const path = pathOf.get(source);
      if (path !== undefined) return `${up}${path}${heading === undefined ? "" : `#${heading}`}`;
      if (/\.(?:png|svg)$/.test(source)) {
        const name = basename(source);
        mkdirSync(join(folder, "images"), { recursive: true });
        copyFileSync(join(root, source), join(folder, "images", name));
        return `${up}images/${name}`;
      }
      // Other files are in the repository only.
      return home.repository === undefined ? undefined : `${home.repository}/blob/main/${source}`;
    },
  };
}

/** Links to the playground with the first example of a rule in each language, as Markdown. */
async function tryLinks({ source }: Page): Promise<string> {
  const rule = rules.find(({ id }) => source === `server/docs/rules/${id}.md`);
  if (rule === undefined) return "";
  const links = (["cuda", "opencl"] as const).map(async (language) => {
    const example = rule.examples.find((each) => each.language === language);
    const name = language === "cuda" ? "CUDA C++" : "OpenCL C";
    return example === undefined ? [] : [`[Try it in ${name}](${await shareLink("PLAYGROUND", sharedExample(example))})`];
  });
  return `\n${(await Promise.all(links)).flat().join(" · ")}\n`;
}

/** The search, with the texts that it looks at. */
async function searchScript(pages: readonly Page[]): Promise<string> {
  const entries = pages.map(({ path, title, markdown }) => ({
    id: path,
    title,
    about: rules.find(({ id }) => path === `rules/${id}.html`)?.title.replaceAll("`", "") ?? "",
    text: markdown
      .replace(/^# .*$/m, "")
      .replace(/[`*|#>[\]]|\([^)\s]*\.md[^)]*\)/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  }));
  const { outputFiles = [] } = await build({
    absWorkingDir: root,
    entryPoints: ["scripts/docs/site-search.ts"],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    define: { siteEntries: JSON.stringify(entries) },
    logLevel: "warning",
  });
  return outputFiles[0]?.text ?? "";
}

if (process.argv[1] === import.meta.filename) console.log(`made ${join(await buildSite(), "index.html")}`);
