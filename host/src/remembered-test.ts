import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "@capstan/ports";
import { AppError, canonicalJson, type JsonValue } from "@capstan/protocol";

/** What a self-test's good end is bound to. */
export interface TestSituation {
  /** The file that remembers; for nobody else to write. */
  readonly file: string;
  readonly searchPath: string;
  /** All that makes the sandbox what it is, beside the machine. */
  readonly options: JsonValue;
}

/**
 * A sandbox whose self-test, once passed, counts until the machine starts again, bubblewrap changes or another user comes: the
 * start then does not wait for it. Nothing runs on that alone: the self-test is made again before the first command. Only a good end is
 * remembered.
 */
export function rememberingTest(sandbox: Sandbox, situation: TestSituation): Sandbox {
  let tested: ReturnType<Sandbox["test"]> | undefined;
  const test = async (): ReturnType<Sandbox["test"]> => {
    tested ??= sandbox.test().then((isolation) => {
      remember(situation, isolation.type === "enforced" ? fingerprint(situation) : undefined);
      return isolation;
    });
    return await tested;
  };
  let said = false;
  return {
    test: async () => {
      const current = fingerprint(situation);
      if (tested === undefined && current !== undefined && recall(situation) === current) {
        said = true;
        return { type: "enforced" };
      }
      return await test();
    },
    enter: async (request) => {
      if (said && (await test()).type !== "enforced") {
        throw new AppError("sandbox.failed", "The sandbox passed its self-test before, and does not any more.", {
          hint: "`capstan doctor` says what is wrong.",
        });
      }
      return await sandbox.enter(request);
    },
    endSession: (session) => sandbox.endSession(session),
  };
}

/** @returns `undefined` where the machine's uptime has no name: there nothing is remembered */
function fingerprint({ searchPath, options }: TestSituation): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    const programs = searchPath.split(":").map((folder) => identityOf(join(folder, "bwrap")));
    const user = [process.getuid?.() ?? -1, process.getgid?.() ?? -1];
    const namespaces = ["user", "mnt", "net"].map((name) => statSync(`/proc/self/ns/${name}`).ino);
    const all = { boot, programs, user, namespaces, node: process.version, options };
    return createHash("sha256").update(canonicalJson(all)).digest("hex");
  } catch {
    return undefined;
  }
}

function identityOf(path: string): string {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file === undefined
    ? ""
    : `${path} ${file.dev}:${file.ino} ${file.size} ${file.mtimeNs} ${file.ctimeNs} ${file.mode}`;
}

function recall({ file }: TestSituation): string | undefined {
  try {
    return readFileSync(file, "latin1").trim();
  } catch {
    return undefined;
  }
}

/** What cannot be written is not remembered. */
function remember(situation: TestSituation, passed: string | undefined): void {
  if (recall(situation) === passed) return;
  try {
    writeFileSync(situation.file, `${passed ?? ""}\n`, { mode: 0o600 });
  } catch {
    // The next start tests again.
  }
}
