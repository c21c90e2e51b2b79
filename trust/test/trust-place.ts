import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { decideTrust, type TrustRequest } from "../src/decide-trust.ts";
import { readTrustFiles } from "../src/read-trust-files.ts";
import { rememberTrust } from "../src/remember-trust.ts";
import { lookAround } from "../src/trust-standing.ts";
import type { WorkspaceTrust } from "../src/workspace-trust.ts";

const instructionFiles: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

/** A data directory and a repository, in a new directory. */
export interface TrustPlaces {
  readonly root: string;
  readonly home: string;
  readonly repository: string;
  /** Relative to the repository. */
  readonly write: (path: string, text: string, mode?: number) => void;
  readonly decide: (request?: Partial<TrustRequest>) => Promise<WorkspaceTrust>;
  /** Trusts a directory as it is now. */
  readonly trust: (cwd?: string) => Promise<void>;
}

export function trustPlaces(): TrustPlaces {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-trust-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  const repository = join(root, "repository");
  mkdirSync(join(repository, ".git"), { recursive: true });
  return {
    root,
    home,
    repository,
    write(path, text, mode = 0o644) {
      const file = join(repository, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      chmodSync(file, mode);
    },
    decide: (request = {}) =>
      decideTrust({ cwd: repository, home, instructionFiles, once: false, now: () => 1000, ...request }),
    async trust(cwd = repository) {
      const situation = lookAround({ cwd, home, instructionFiles });
      const read = readTrustFiles(situation.folder.identity, situation.places);
      await rememberTrust(home, { situation, read, known: undefined }, 1000);
    },
  };
}
