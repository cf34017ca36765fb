/** The link that contains the code. The playground's whole state is in the part after `#`, which no browser sends to a server. */

export interface Shared {
  readonly language: "cuda" | "opencl";
  /** An architecture without `sm_`, or a `-cl-std` value; empty for all. */
  readonly target: string;
  readonly code: string;
}

export function shareLink(page: string, shared: Shared): string {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${page.replace(/#.*$/, "")}#${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The state in a link; undefined for any other text. */
export function readShared(hash: string): Shared | undefined {
  try {
    const text = atob(hash.replace(/^#/, "").replaceAll("-", "+").replaceAll("_", "/"));
    const value: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0))));
    if (typeof value !== "object" || value === null || !("code" in value) || typeof value.code !== "string") return undefined;
    const language = "language" in value && value.language === "opencl" ? "opencl" : "cuda";
    const target = "target" in value && typeof value.target === "string" && /^[\w.+]*$/.test(value.target) ? value.target : "";
    return { language, target, code: value.code };
  } catch {
    return undefined;
  }
}
