/** Draws the picture for the README: how long one keystroke in a function's body takes, for each kind of file and each server. */
import { groupBy } from "../server/src/analyses/group-by.ts";
import type { Result } from "./report.ts";
import type { ServerName } from "./servers.ts";

const width = 760;
const left = 130;
const right = 90;
const barHeight = 13;
const rowHeight = 44;
const top = 64;
const colors: Record<ServerName, string> = { "gpu-qualifiers": "#2f9e44", clangd: "#868e96" };

/** Bars on a logarithmic scale of milliseconds, as SVG. */
export function plotOf(results: readonly Result[], kind: string): string {
  const shown = results.filter((result) => result.kind === kind && result.functionLines === 20);
  const rows = groupBy(shown, ({ language, lines }) => `${language === "cuda" ? ".cu" : ".cl"}, ${lines.toLocaleString("en")} lines`);
  const most = Math.max(100, ...shown.map(({ p50 }) => p50));
  const scale = (milliseconds: number) => (Math.log10(Math.max(1, milliseconds)) / Math.log10(most)) * (width - left - right);
  const height = top + rows.size * rowHeight + 24;
  const bars = [...rows].flatMap(([name, row], index) => {
    const y = top + index * rowHeight;
    return [
      text(left - 10, y + barHeight + 4, name, 'text-anchor="end"'),
      ...row.flatMap(({ server, p50 }, at) => {
        const from = y + at * (barHeight + 2);
        return [
          `<rect x="${left}" y="${from}" width="${Math.max(2, scale(p50)).toFixed(1)}" height="${barHeight}" rx="2" fill="${colors[server]}"/>`,
          text(left + Math.max(2, scale(p50)) + 6, from + barHeight - 2, `${p50} ms`, 'font-size="12"'),
        ];
      }),
    ];
  });
  const grid = [1, 10, 100, 1_000, 10_000]
    .filter((milliseconds) => milliseconds <= most)
    .flatMap((milliseconds) => {
      const x = (left + scale(milliseconds)).toFixed(1);
      return [
        `<line x1="${x}" y1="${top - 8}" x2="${x}" y2="${height - 24}" stroke="#dee2e6"/>`,
        text(Number(x), height - 8, `${milliseconds.toLocaleString("en")} ms`, 'text-anchor="middle" font-size="11" fill="#868e96"'),
      ];
    });
  const legend = [...new Set(shown.map(({ server }) => server))].flatMap((server, index) => [
    `<rect x="${left + index * 150}" y="34" width="12" height="12" rx="2" fill="${colors[server]}"/>`,
    text(left + index * 150 + 18, 44, server, ""),
  ]);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img">`,
    "<title>From a key in a function's body to its findings, median, on a logarithmic scale</title>",
    `<rect width="${width}" height="${height}" rx="6" fill="#ffffff"/>`,
    text(16, 22, "From a key in a function's body to its findings (median, logarithmic scale)", 'font-weight="600"'),
    ...legend,
    ...grid,
    ...bars,
    "</svg>",
  ].join("\n")}\n`;
}

function text(x: number, y: number, content: string, attributes: string): string {
  const fill = attributes.includes("fill=") ? "" : ' fill="#343a40"';
  return `<text x="${x.toFixed(1)}" y="${y}"${attributes === "" ? "" : ` ${attributes}`}${fill}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}
