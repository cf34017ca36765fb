/** Finds the files of a workspace that are worth a check: CUDA and OpenCL sources, then hosts with device code in their literals. */
import { mayEmbed } from "../../embedded/embedded.ts";
import { isChecked } from "../../project/interest.ts";
import { hasDeviceCode } from "../../settings/languages.ts";
import type { Files } from "../../source.ts";
import type { Steps } from "../../steps.ts";

/**
 * Creates the search among listed files, which reads a host again only if its text has changed. `isDeviceSource` tells of one whose text
 * does not show its language whether the build compiles it as device code.
 */
export function rememberSources(
  files: Pick<Files, "read">,
  isDeviceSource: (name: string) => boolean,
): (listed: readonly string[]) => Steps<readonly string[]> {
  // A file that has not been fetched counts as one without device code.
  const hosts = new Map<string, { readonly text: string; readonly isHost: boolean }>();
  const isHost = (name: string): boolean => {
    const text = files.read(name);
    const known = hosts.get(name);
    if (known?.text === text) return known.isHost;
    const found = { text, isHost: hasDeviceCode(name, text) };
    hosts.set(name, found);
    return found.isHost;
  };
  return function* (listed) {
    const found: string[] = [];
    for (const name of listed) {
      if (isChecked(name) || !mayEmbed(name)) continue;
      if (isHost(name) || isDeviceSource(name)) found.push(name);
      yield;
    }
    return [...listed.filter(isChecked), ...found];
  };
}
