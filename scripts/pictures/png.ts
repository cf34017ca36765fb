/**
 * Small pictures from screenshots: a screenshot is decoded, reduced to 256 colors, and written as a PNG with a palette, or
 * several of them as an animated PNG whose frames contain only changes. Browsers and code hosts show both.
 */
import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Pixels as red, green and blue, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** A picture, and its duration in milliseconds. */
export interface Frame {
  readonly picture: Picture;
  readonly milliseconds: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Decodes a browser's PNG: eight bits per channel, not interlaced, with or without alpha, which is dropped. */
export function decodePng(file: Uint8Array): Picture {
  const bytes = Buffer.from(file);
  if (!bytes.subarray(0, 8).equals(signature)) throw new Error("not a PNG");
  let width = 0;
  let height = 0;
  let channels = 3;
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") {
      width = content.readUInt32BE(0);
      height = content.readUInt32BE(4);
      const [depth, color, , , interlaced] = content.subarray(8);
      if (depth !== 8 || (color !== 2 && color !== 6) || interlaced !== 0) throw new Error("not a PNG as browsers write it");
      channels = color === 6 ? 4 : 3;
    } else if (kind === "IDAT") data.push(content);
    at += 12 + length;
  }
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  if (channels === 3) return { width, height, rgb: rows };
  return { width, height, rgb: rows.filter((_, index) => index % 4 !== 3) };
}

/** Reverses the prediction of each row: by the left neighbor, the upper one, their mean, or Paeth's choice. */
function unfilter(filtered: Uint8Array, stride: number, height: number, channels: number): Uint8Array {
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1);
    const kind = filtered[from] ?? 0;
    const to = y * stride;
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : (rows[to + x - channels] ?? 0);
      const up = y === 0 ? 0 : (rows[to + x - stride] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (rows[to + x - stride - channels] ?? 0);
      rows[to + x] = (filtered[from + 1 + x] ?? 0) + predicted(kind, left, up, corner);
    }
  }
  return rows;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** A PNG with a palette; if there are several frames, an animation that repeats forever. All frames have the same size. */
export function encodePng(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error("a picture needs a frame");
  const { width, height } = first.picture;
  const { palette, indexed } = reduced(frames.map(({ picture }) => picture));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const chunks = [signature, chunk("IHDR", header), chunk("PLTE", palette)];
  if (frames.length > 1) chunks.push(chunk("acTL", numbers(frames.length, 0)));
  let sequence = 0;
  let shown: Uint8Array | undefined;
  for (const [index, { milliseconds }] of frames.entries()) {
    const pixels = indexed[index] ?? new Uint8Array();
    const part = changedPart(pixels, shown, width, height);
    if (frames.length > 1) {
      const control = Buffer.alloc(6);
      control.writeUInt16BE(milliseconds, 0);
      control.writeUInt16BE(1000, 2);
      chunks.push(chunk("fcTL", Buffer.concat([numbers(sequence++, part.width, part.height, part.x, part.y), control])));
    }
    const data = deflateSync(rowsOf(pixels, part, width), { level: 9, memLevel: 9 });
    chunks.push(index === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([numbers(sequence++), data])));
    shown = pixels;
  }
  return Buffer.concat([...chunks, chunk("IEND", Buffer.alloc(0))]);
}

/** A still picture in 256 colors. */
export function smallPng(file: Uint8Array): Buffer {
  return encodePng([{ picture: decodePng(file), milliseconds: 0 }]);
}

interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The rectangle in which a frame differs from the previous one; a frame must not be empty. */
function changedPart(pixels: Uint8Array, shown: Uint8Array | undefined, width: number, height: number): Part {
  if (shown === undefined) return { x: 0, y: 0, width, height };
  let [left, top, right, bottom] = [width, height, 0, 0];
  pixels.forEach((pixel, index) => {
    if (pixel === shown[index]) return;
    const x = index % width;
    const y = Math.floor(index / width);
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  });
  return right === 0 ? { x: 0, y: 0, width: 1, height: 1 } : { x: left, y: top, width: right - left, height: bottom - top };
}

function rowsOf(pixels: Uint8Array, part: Part, width: number): Buffer {
  const rows = Buffer.alloc((part.width + 1) * part.height);
  for (let y = 0; y < part.height; y++) {
    const from = (part.y + y) * width + part.x;
    rows.set(pixels.subarray(from, from + part.width), y * (part.width + 1) + 1);
  }
  return rows;
}

/** A palette for all pictures, and the index in it of each pixel. */
function reduced(pictures: readonly Picture[]): { readonly palette: Buffer; readonly indexed: readonly Uint8Array[] } {
  const counts = new Map<number, number>();
  for (const { rgb } of pictures) {
    for (let at = 0; at < rgb.length; at += 3) {
      const color = colorAt(rgb, at);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  const palette = paletteOf(byCount);
  const places = new Map(byCount.map((color) => [color, nearest(palette, color)]));
  return {
    palette: Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255])),
    indexed: pictures.map(({ rgb }) => Uint8Array.from({ length: rgb.length / 3 }, (_, index) => places.get(colorAt(rgb, index * 3)) ?? 0)),
  };
}

/** At most 256 colors, none of them far from an original one; among similar colors the most frequent one. */
function paletteOf(byCount: readonly number[]): readonly number[] {
  for (let reach = 0; ; reach = reach * 1.5 + 16) {
    const palette: number[] = [];
    for (const color of byCount) {
      if (palette.every((other) => distance(color, other) > reach)) palette.push(color);
      if (palette.length > 256) break;
    }
    if (palette.length <= 256) return palette;
  }
}

function nearest(palette: readonly number[], color: number): number {
  let best = 0;
  for (const [index, other] of palette.entries()) if (distance(color, other) < distance(color, palette[best] ?? 0)) best = index;
  return best;
}

function colorAt(rgb: Uint8Array, at: number): number {
  return ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0);
}

/** The distance of two colors as the eye sees it, which is most sensitive to green. */
function distance(a: number, b: number): number {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return 2 * red * red + 4 * green * green + 3 * blue * blue;
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

function chunk(kind: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), content]);
  return Buffer.concat([numbers(content.length), body, numbers(crc32(body))]);
}
