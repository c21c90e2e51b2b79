import { join } from "node:path";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createHost, type Host, type HostOptions, loadSettings } from "../../src/index.ts";
import { actTool, obedientModel, obedientProviders } from "./obedient-model.ts";

/** One data directory and one workspace, for as many hosts as a test takes. */
export interface SharedHome {
  readonly root: string;
  open(changes?: Partial<HostOptions>): Promise<Host>;
  remove(): void;
}

export function sharedHome(): SharedHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-hub-")));
  mkdirSync(join(root, "work", "src"), { recursive: true });
  writeFileSync(join(root, "work", "src", "main.ts"), "");
  writeFileSync(join(root, "work", "src", "other.ts"), "");
  return {
    root,
    open: (changes) => hostIn(root, changes),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Another host of a home that exists, in this process or another. */
export async function hostIn(root: string, changes: Partial<HostOptions> = {}): Promise<Host> {
  const settings = await loadSettings({
    env: { PATH: process.env["PATH"], CAPSTAN_HOME: join(root, "home") },
    cwd: join(root, "work"),
    sets: [obedientModel],
    flags: [],
    safeMode: false,
    addDirectories: [],
    yolo: false,
  });
  return await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "ask",
    version: "1.2.3",
    providers: obedientProviders(),
    tools: [actTool()],
    report: () => undefined,
    ...changes,
  });
}
