/** The servers of `npm run code` and `npm run playground` start on a machine whose usual port is busy. */
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort } from "../../../scripts/ports.ts";

it("takes the next port if the wanted one is busy", async () => {
  const wanted = await freePort();
  expect(await freePort(wanted)).toBe(wanted);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(wanted, "127.0.0.1", resolve));
  const next = await freePort(wanted);
  await new Promise((resolve) => other.close(resolve));
  expect(next).toBeGreaterThan(wanted);
  expect(next).toBeLessThanOrEqual(wanted + 100);
});
