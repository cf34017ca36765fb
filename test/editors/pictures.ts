/**
 * Pictures of the editors, in `.cache/screenshots`, for people. Menus and hovers fade in before each, so `npm test` takes only those
 * of failures; `npm run thorough` takes all. UPDATE_IMAGES=1 does too, and updates the walkthrough's.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { smallPng } from "../../scripts/pictures/png.ts";
import { isThorough } from "../effort.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(root, ".cache/screenshots");
const updatesImages = process.env.UPDATE_IMAGES === "1";

/** A part of the window as an image of the walkthrough. */
export interface Image {
  readonly name: string;
  readonly clip: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** A picture of the whole window, and of the part that the walkthrough shows. */
export async function picture(page: Page, name: string, image?: Image): Promise<void> {
  if (!isThorough && !updatesImages) return;
  await page.waitForTimeout(600);
  await keepPicture(page, name);
  if (image !== undefined && updatesImages)
    writeFileSync(join(root, `client/images/${image.name}.png`), smallPng(await page.screenshot({ clip: image.clip })));
}

/** What the window shows now. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
