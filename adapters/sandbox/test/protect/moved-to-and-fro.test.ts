import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "@capstan/protocol";
import { runs, slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { surveyTree } from "../../src/protect/survey.ts";
import { enterPlace, makePlace, type Place, runInside } from "../support/bench-place.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";
import { runProgram } from "../support/run-program.ts";

const secret = "the-secret-of-the-user";

/** Renames the folder away and back as fast as can be, until it is told to stop, and leaves it where nobody would look. */
const toAndFro = `python3 - <<'END'
import os, time
until, n = time.time() + 60, 0
while not os.path.exists('stop') and time.time() < until:
  n += 1
  away = 'node_modules/p%d/sub' % (n % 20)
  for old, new in (('sub', away), (away, 'sub')):
    try: os.rename(old, new)
    except OSError: pass
os.rename('sub', 'node_modules/p7/sub')
END`;

function furnish(): Place {
  const place = makePlace();
  const sub = join(place.workspace, "sub");
  for (let number = 0; number < 20; number += 1)
    mkdirSync(join(place.workspace, "node_modules", `p${number}`), { recursive: true });
  execFileSync("git", ["init", "-q", sub]);
  writeFileSync(join(sub, ".env"), secret);
  return place;
}

const look =
  "cat sub/.env node_modules/*/sub/.env; echo evil >> sub/.git/config; echo evil > sub/.git/hooks/pre-commit";

/** `refused`: it did not start, since a protected file could not be found where it had just been. */
async function tryToRead(place: Place, sandbox = createSandbox(place.options)): Promise<"read" | "kept" | "refused"> {
  try {
    return (await runInside(place, look, { sandbox })).output.includes(secret) ? "read" : "kept";
  } catch (error) {
    if (error instanceof AppError && error.code === "sandbox.failed") return "refused";
    throw error;
  }
}

describe.skipIf(!hasBubblewrap)("a protected folder that a command moves to and fro (needs bubblewrap)", () => {
  slowTest(
    "is protected in every other command meanwhile, in the same session and in others, and afterwards",
    async () => {
      const place = furnish();
      const session = createSandbox(place.options);
      const moving = runProgram(await enterPlace(place, toAndFro, { sandbox: session }));
      const tries: string[] = [];
      let overlooked = 0;
      try {
        for (let round = 0; round < runs(15); round += 1) {
          tries.push(await tryToRead(place, session), await tryToRead(place));
          // The control: who only looks does not always see it.
          for (let time = 0; time < 100; time += 1) {
            const isDenied = (path: string): boolean => path.endsWith("/.env");
            const { denied } = await surveyTree(place.workspace, { isDenied, isScript: () => false });
            if (denied.length === 0) overlooked += 1;
          }
        }
      } finally {
        writeFileSync(join(place.workspace, "stop"), "");
        expect((await moving).code).toBe(0);
      }
      expect([tries.includes("read"), tries.includes("kept"), overlooked > 0]).toEqual([false, true, true]);
      const later = await runInside(
        place,
        "cat node_modules/p7/sub/.env; echo evil >> node_modules/p7/sub/.git/config",
      );
      expect([later.output.includes(secret), later.output.includes("Read-only")]).toEqual([false, true]);
    },
  );

  test("and one that its user deletes meanwhile stops no command of the session, and is forgotten when none runs", async () => {
    const place = furnish();
    const session = createSandbox(place.options);
    const waiting = runProgram(
      await enterPlace(place, "for i in $(seq 600); do test -e stop && break; sleep 0.1; done", { sandbox: session }),
    );
    rmSync(join(place.workspace, "sub"), { recursive: true });
    expect((await runInside(place, "echo runs", { sandbox: session })).output).toContain("runs");
    expect(await tryToRead(place)).toBe("refused");
    writeFileSync(join(place.workspace, "stop"), "");
    await waiting;
    for (const _start of [1, 2]) expect((await runInside(place, "echo runs")).output).toContain("runs");
  });
});
