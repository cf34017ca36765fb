/**
 * Converts between the client's uris and the core's names. Clients encode the same file in different ways (`file:///c%3A/x`,
 * `file:///C:/x`), so the core gets the decoded form, and answers use the client's spelling.
 */

/** The core's name for a uri. */
export function nameOfUri(uri: string): string {
  const decoded = decode(uri);
  const drive = /^(file:\/\/\/)([A-Z])(:.*)$/s.exec(decoded);
  return drive === null ? decoded : `${drive[1]}${drive[2]?.toLowerCase()}${drive[3]}`;
}

/** The core's name for a folder, without a trailing slash. */
export function nameOfFolder(uri: string): string {
  return nameOfUri(uri).replace(/\/+$/, "");
}

/** A uri for a name that the client has not used. */
export function uriOfName(name: string): string {
  const match = /^([a-z][a-z0-9+.-]*:\/\/[^/]*)(\/.*)?$/is.exec(name);
  if (match === null) return name;
  // The top folder of a virtual workspace still needs a path.
  return `${match[1]}${(match[2] ?? "/").split("/").map(encodeURIComponent).join("/")}`;
}

function decode(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
