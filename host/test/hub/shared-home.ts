import { join } from "node:path";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createHost, type Host, type HostOptions, loadSettings, type Settings } from "../../src/index.ts";
import { actTool, obedientModel, obedientProviders } from "./obedient-model.ts";

/** One data directory and one workspace, for as many hosts as a test takes. */
export interface SharedHome {
  readonly root: string;
  open(changes?: Partial<HostOptions>, place?: HostPlace): Promise<Host>;
  remove(): void;
}

/** Where a host is started, and with which settings. */
export interface HostPlace {
  /** In the home; `work` when left out. */
  readonly folder?: string;
  readonly sets?: readonly string[];
}

export function sharedHome(): SharedHome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-hub-")));
  mkdirSync(join(root, "work", "src"), { recursive: true });
  writeFileSync(join(root, "work", "src", "main.ts"), "");
  writeFileSync(join(root, "work", "src", "other.ts"), "");
  return {
    root,
    open: (changes, place) => hostIn(root, changes, place),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Another host of a home that exists, in this process or another. */
export async function hostIn(
  root: string,
  changes: Partial<HostOptions> = {},
  { folder = "work", sets = [obedientModel] }: HostPlace = {},
): Promise<Host> {
  const settingsIn = (cwd: string): Promise<Settings> =>
    loadSettings({
      env: { PATH: process.env["PATH"], CAPSTAN_HOME: join(root, "home") },
      cwd,
      sets,
      flags: [],
      safeMode: false,
      addDirectories: [],
      yolo: false,
    });
  const settings = await settingsIn(join(root, folder));
  return await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "ask",
    version: "1.2.3",
    providers: obedientProviders(),
    tools: [actTool()],
    loadSettings: settingsIn,
    report: () => undefined,
    ...changes,
  });
}
