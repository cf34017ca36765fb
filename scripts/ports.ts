/** Finds ports for the servers of this folder, which listen on this machine only. */
import { createServer } from "node:net";

/** A free port: the wanted one, or the next free one after it; without a wanted one, any. */
export async function freePort(wanted = 0): Promise<number> {
  for (let port = wanted; wanted > 0 && port <= Math.min(wanted + 100, 65_535); port++) {
    // `localhost` may mean either address, and a browser tries both.
    if ((await listened(port, "127.0.0.1")) === port && (await listened(port, "::1")) === port) return port;
  }
  const any = await listened(0, "127.0.0.1");
  if (any === undefined) throw new Error("this machine has no free port");
  return any;
}

/** Listens for a moment, and returns the port; undefined if another program has it. A machine without the address refuses nothing. */
function listened(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      resolve(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT" ? port : undefined);
    });
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : undefined));
    });
  });
}
