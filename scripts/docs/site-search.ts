/** The search of the documentation's site: finds pages by their words, as these are typed. */
import MiniSearch from "minisearch";

interface Entry {
  readonly id: string;
  readonly title: string;
  /** What a rule reports; empty for other pages. */
  readonly about: string;
  readonly text: string;
}

declare const siteEntries: readonly Entry[];

const mostShown = 8;
const up = document.currentScript?.dataset.up ?? "";
const input = document.querySelector<HTMLInputElement>("#search");
const list = document.querySelector("#results");
let index: MiniSearch<Entry> | undefined;

/** The pages with the words, the best first. The index is made at the first search. */
function found(words: string): readonly Entry[] {
  index ??= new MiniSearch<Entry>({
    fields: ["title", "about", "text"],
    searchOptions: { boost: { title: 3, about: 3 }, prefix: true, fuzzy: 0.15 },
  });
  if (index.documentCount === 0) index.addAll(siteEntries);
  const entries = new Map(siteEntries.map((entry) => [entry.id, entry]));
  return index
    .search(words)
    .slice(0, mostShown)
    .flatMap(({ id }) => entries.get(String(id)) ?? []);
}

function show(): void {
  const words = input?.value.trim() ?? "";
  const items = found(words).map(({ id, title, about }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = up + id;
    link.textContent = title;
    item.append(link);
    if (about !== "") item.append(Object.assign(document.createElement("small"), { textContent: about }));
    return item;
  });
  const nothing = document.createElement("li");
  nothing.textContent = "Nothing found.";
  list?.replaceChildren(...(words === "" ? [] : items.length === 0 ? [nothing] : items));
}

input?.addEventListener("input", show);
input?.addEventListener("keydown", ({ key }) => {
  if (key === "Enter") list?.querySelector("a")?.click();
});
