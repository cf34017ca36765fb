/** The headless browser that the editor tests drive, where this machine has one. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? places.find(existsSync);

export const hasBrowser = executablePath !== undefined;

/** The reason for skipping tests, for their titles. */
export const withoutBrowser = hasBrowser ? "" : " (skipped: there is no chromium; scripts/install-system-packages.sh installs it)";

export function launchBrowser(): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), headless: true, args });
}
