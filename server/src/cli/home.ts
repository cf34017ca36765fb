/**
 * Where the project has its home. The owner fills in `repository` here and nowhere else: `npm run docs` takes it into
 * `package.json`, and reports link to it.
 */

interface Home {
  /** The address of the repository's page, without a slash at its end. */
  readonly repository?: string;
}

/** What the program's entry tells the modules: where its own files are. */
export const home: Home = {};

/** The page of this program; until it has one, its name among packages, which is a URI as well. */
export function informationUri(version: string): string {
  return home.repository ?? `pkg:npm/gpu-qualifiers@${version}`;
}
