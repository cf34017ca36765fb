/** The README's pictures are small PNGs with a palette, animated if they have several frames, with the colors of the screenshots. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { selfContained } from "../../../scripts/package.ts";
import { decodePng, encodePng, type Picture } from "../../../scripts/pictures/png.ts";

const root = join(import.meta.dirname, "../../..");

/** The kind and content of each chunk of a PNG. */
function chunksOf(file: Buffer): readonly { readonly kind: string; readonly content: Buffer }[] {
  const found: { readonly kind: string; readonly content: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    found.push({ kind: file.toString("latin1", at + 4, at + 8), content: file.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return found;
}

/** Four by two pixels, with one of another color at `x`. */
function pictureWith(x: number): Picture {
  const rgb = new Uint8Array(4 * 2 * 3).fill(255);
  rgb.set([10, 20, 30], 3 * (4 + x));
  return { width: 4, height: 2, rgb };
}

/** A PNG as browsers write it, with the given filter for each row. */
function screenshot({ width, height, rgb }: Picture, filter: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const stride = width * 3;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    rows[y * (stride + 1)] = filter;
    for (let x = 0; x < stride; x++) {
      const left = x < 3 ? 0 : (rgb[y * stride + x - 3] ?? 0);
      const up = y === 0 ? 0 : (rgb[(y - 1) * stride + x] ?? 0);
      const before = [0, left, up, (left + up) >> 1][filter] ?? 0;
      rows[y * (stride + 1) + 1 + x] = ((rgb[y * stride + x] ?? 0) - before) & 255;
    }
  }
  const chunk = (kind: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, Buffer.from(kind, "latin1"), content, Buffer.alloc(4)]);
  };
  const sign = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([sign, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

describe("pictures", () => {
  const tour = chunksOf(readFileSync(join(root, "client/images/tour.png")));

  it("are read with each filter of their rows", () => {
    for (const filter of [0, 1, 2, 3]) expect(decodePng(screenshot(pictureWith(2), filter))).toEqual(pictureWith(2));
  });

  it("store only the changes of each further frame", () => {
    const chunks = chunksOf(encodePng([0, 3, 3].map((x) => ({ picture: pictureWith(x), milliseconds: 500 }))));
    expect(chunks.map(({ kind }) => kind)).toEqual(["IHDR", "PLTE", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"]);
    const parts = chunks.filter(({ kind }) => kind === "fcTL").map(({ content }) => [4, 8, 12, 16].map((at) => content.readUInt32BE(at)));
    expect(parts).toEqual([
      [4, 2, 0, 0],
      [4, 1, 0, 1],
      [1, 1, 0, 0],
    ]);
    const numbers = chunks.filter(({ kind }) => /^f[cd]/.test(kind)).map(({ content }) => content.readUInt32BE(0));
    expect(numbers).toEqual([0, 1, 2, 3, 4]);
  });

  it("of the README exist and are small", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const paths = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
    expect(paths).toContain("client/images/tour.png");
    for (const path of paths) expect(readFileSync(join(root, path)).length).toBeLessThan(200_000);
    expect(tour.filter(({ kind }) => kind === "fcTL").length).toBeGreaterThan(5);
  });

  it("show a mistake first, which is all that viewers without animation show", () => {
    const contentOf = (wanted: string) => Buffer.concat(tour.flatMap(({ kind, content }) => (kind === wanted ? [content] : [])));
    const palette = contentOf("PLTE");
    const isRed = (color: number) => {
      const [red = 0, green = 0, blue = 0] = palette.subarray(3 * color);
      return red > 200 && green < 60 && blue < 60;
    };
    expect(inflateSync(contentOf("IDAT")).filter(isRed).length).toBeGreaterThan(20);
  });
});

describe("the README in the package", () => {
  it("has only pictures that can be shown and links that lead somewhere", () => {
    const text = selfContained(readFileSync(join(root, "README.md"), "utf8"));
    expect([...text.matchAll(/\]\((?!https?:|#)([^)]*)\)/g)].map(([link]) => link)).toEqual([]);
    expect(text).toContain("docs/editors.md has configurations");
  });
});
