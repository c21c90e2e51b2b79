import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { usePlace } from "../stage/place.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const place = usePlace();

/** The sources of the project that a process loaded, as Node itself reports them. */
async function loadedBy(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-loaded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const fromSource = ["--conditions=source", "--import", join(root, "node_modules", "tsx", "dist", "loader.mjs")];
  const child = spawn(process.execPath, [...fromSource, join(root, "app", "src", "main.ts"), ...args], {
    cwd: place.workspace,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: place.folder,
      CAPSTAN_HOME: place.data,
      ...env,
      NODE_V8_COVERAGE: folder,
    },
    stdio: "ignore",
    timeout: 60_000,
  });
  await once(child, "close");
  const reports = existsSync(folder) ? readdirSync(folder) : [];
  const urls = reports.flatMap((name) => urlsIn(readFileSync(join(folder, name), "utf8")));
  return urls.filter((url) => url.startsWith(`file://${root}/`)).map((url) => url.slice(`file://${root}/`.length));
}

function urlsIn(report: string): readonly string[] {
  return [...report.matchAll(/"url":"([^"]*)"/g)].map(([, url = ""]) => url);
}

const ofTerminalUi = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => path.startsWith("frontends/tui/") || path.startsWith("app/src/terminal-ui/"));

test("nothing of the terminal UI is loaded by `version` or by `run`, and much of it by `tui`", async () => {
  const { env } = await place.rehearse("anthropic", [{ text: "Done." }]);
  const version = await loadedBy(["version"]);
  expect(version).toContain("app/src/main.ts");
  expect(ofTerminalUi(version)).toEqual([]);
  const run = await loadedBy(["run", "-m", "anthropic/rehearsal", "go"], env);
  expect(run.some((path) => path.startsWith("adapters/providers/"))).toBe(true);
  expect(ofTerminalUi(run)).toEqual([]);
  expect(ofTerminalUi(await loadedBy(["tui"], env)).length).toBeGreaterThan(40);
});
