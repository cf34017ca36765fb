/**
 * The modules of a worker as blobs: the server in the browser shares its chunks with Node's programs, and a worker that is made from a
 * blob has no folder from which it could import them. So each import becomes the address of another blob.
 */

/** The path in an import of a built module. */
const imported = /(?<=(?:^|[;}\n])import(?:\{[^}"]*\}from)?")\.\/[^"]+(?=";)/g;

/**
 * Returns the address of a script for a worker that runs a module of `dist/`; `read` returns the text of a file there. The script is not
 * a module itself, because VS Code wraps the scripts of workers in a call that modules do not have. Messages that arrive before the
 * module runs are delivered to it afterwards.
 */
export async function workerScript(name: string, read: (name: string) => Promise<string>): Promise<string> {
  const module = JSON.stringify(await moduleAddress(name, read));
  return blobOf(`const early = [];
const keep = (event) => early.push(event.data);
addEventListener("message", keep);
import(${module}).then(
  () => {
    removeEventListener("message", keep);
    for (const data of early) dispatchEvent(new MessageEvent("message", { data }));
  },
  (error) => setTimeout(() => { throw error; }),
);
`);
}

/** The address of a module whose imports are blobs, too. */
function moduleAddress(name: string, read: (name: string) => Promise<string>): Promise<string> {
  const addresses = new Map<string, Promise<string>>();
  const addressOf = (path: string): Promise<string> => {
    const address = addresses.get(path) ?? load(path);
    addresses.set(path, address);
    return address;
  };
  const load = async (path: string) => {
    const text = await textOf(path, read);
    const found = new Map<string, string>();
    await Promise.all((text.match(imported) ?? []).map(async (each) => found.set(each, await addressOf(each))));
    return blobOf(text.replace(imported, (each) => found.get(each) ?? each));
  };
  return addressOf(`./${name}`);
}

function blobOf(script: string): string {
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}

/** Node loads the bundle behind this file with `require`, when it is needed. A worker has none, and gets it as a module. */
const laterInNode = "./clangd-file.js";

async function textOf(path: string, read: (name: string) => Promise<string>): Promise<string> {
  if (path !== laterInNode) return read(path.slice("./".length));
  const bundle = await read("clangd-file.cjs");
  return `const module={exports:{}};(()=>{${bundle}\n})();export const{readClangdFile}=module.exports;\n`;
}
