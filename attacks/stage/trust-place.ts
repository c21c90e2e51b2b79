import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadSettings, type Settings, type SettingsOptions, addTrust } from "@capstan/host";

/** A user's home and a repository that somebody else wrote. */
export interface TrustPlace {
  readonly base: string;
  readonly home: string;
  readonly repository: string;
  /** Relative to the repository. @returns the absolute path */
  readonly write: (path: string, text: string, mode?: number) => string;
  /** The user trusts a folder as it is now. */
  readonly trust: (folder?: string) => Promise<void>;
  /** Starts as `capstan run` does, up to where the session would open. */
  readonly start: (options?: Partial<SettingsOptions>) => Promise<Settings>;
}

/** Makes a place, uses it and takes it away again. */
export async function inTrustPlace<Result>(use: (place: TrustPlace) => Promise<Result>): Promise<Result> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-attack-")));
  try {
    return await use(trustPlace(base));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function trustPlace(base: string): TrustPlace {
  const home = join(base, "home");
  const repository = join(base, "repository");
  mkdirSync(join(repository, ".git"), { recursive: true });
  const env = { CAPSTAN_HOME: home, PATH: process.env["PATH"] };
  return {
    base,
    home,
    repository,
    write(path, text, mode = 0o644) {
      const file = join(repository, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      chmodSync(file, mode);
      return file;
    },
    async trust(folder = repository) {
      await addTrust(env, folder);
    },
    start: (options = {}) =>
      loadSettings({
        env: { ...env, ...options.env },
        cwd: repository,
        sets: [],
        flags: [],
        safeMode: false,
        addDirectories: [],
        yolo: false,
        ...options,
      }),
  };
}
