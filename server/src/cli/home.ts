/** The project's address. The owner enters `repository` only here: `npm run docs` copies it into `package.json`, and reports link to it. */

interface Home {
  /** The address of the repository's page, without a trailing slash. */
  readonly repository?: string;
}

/** What the program's entry tells the modules: the location of its own files. */
export const home: Home = {};

/** The web page of this program; until there is one, its package name, which is a URI too. */
export function informationUri(version: string): string {
  return home.repository ?? `pkg:npm/gpu-qualifiers@${version}`;
}

/** The web page of a rule; undefined until the project has an address. */
export function pageOfRule(id: string, { repository }: Home = home): string | undefined {
  return repository === undefined ? undefined : `${repository}/blob/main/server/docs/rules/${id}.md`;
}
