/**
 * Converts between the client's uris and the core's names. Clients spell the same file in different ways (`file:///c%3A/x`,
 * `file:///C:/x`, `file:/c:/x`), so the core gets one spelling, and answers use the client's.
 */

/** The core's name for a uri. */
export function nameOfUri(uri: string): string {
  const decoded = decode(uri);
  const file = /^file:(?:\/\/(?:localhost)?(?=\/))?(\/(?!\/).*)$/is.exec(decoded);
  if (file === null) return decoded;
  const path = (file[1] ?? "").replace(/\/{2,}/g, "/");
  const drive = /^\/([A-Z]):/i.exec(path);
  return `file://${drive === null ? path : `/${drive[1]?.toLowerCase()}${path.slice(2)}`}`;
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
