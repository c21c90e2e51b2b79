import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "@capstan/protocol";
import { runs, slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { surveyTree } from "../../src/protect/survey.ts";
import { enterPlace, makePlace, type Place, runInside } from "../support/bench-place.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";
import { runProgram } from "../support/run-program.ts";

const secret = "the-secret-of-the-user";

/** Renames the folder away and back as fast as can be, until there is a file that ends it. */
const toAndFro = `python3 - <<'END'
import os, time
until, n = time.time() + 60, 0
while not os.path.exists('stop') and time.time() < until:
  n += 1
  away = 'node_modules/p%d/sub' % (n % 20)
  for old, new in (('sub', away), (away, 'sub')):
    try: os.rename(old, new)
    except OSError: pass
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

/** Wherever it was in the end. */
function leaveWhereNobodyLooks({ workspace }: Place): string {
  const all = readdirSync(workspace, { recursive: true, encoding: "utf8" });
  const [head = "", ...others] = all.filter((path) => path.endsWith("sub/.git/HEAD"));
  expect([head === "", others]).toEqual([false, []]);
  const left = join(workspace, "node_modules", "p99", "sub");
  mkdirSync(dirname(left));
  renameSync(join(workspace, dirname(dirname(head))), left);
  return left;
}

const look =
  "cat sub/.env node_modules/*/sub/.env; echo evil >> sub/.git/config; echo evil > sub/.git/hooks/pre-commit";

const secrets = { isDenied: (path: string): boolean => path.endsWith("/.env"), isScript: (): boolean => false };

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
    "is read and changed by no other command, in the same session and in others, meanwhile and afterwards",
    async () => {
      const place = furnish();
      const session = createSandbox(place.options);
      const settings = readFileSync(join(place.workspace, "sub", ".git", "config"), "utf8");
      const moving = runProgram(await enterPlace(place, toAndFro, { sandbox: session }));
      const tries: string[] = [];
      let overlooked = 0;
      try {
        for (let round = 0; round < runs(15); round += 1) {
          tries.push(await tryToRead(place, session), await tryToRead(place));
          // The control: who only looks does not always see it.
          for (let time = 0; time < 100; time += 1) {
            const { denied } = await surveyTree(place.workspace, secrets);
            if (denied.length === 0) overlooked += 1;
          }
        }
      } finally {
        writeFileSync(join(place.workspace, "stop"), "");
        // It is ended where a cover that must be renewed cannot be.
        expect([0, 137]).toContain((await moving).code);
      }
      expect([tries.includes("read"), tries.includes("kept"), overlooked > 0]).toEqual([false, true, true]);
      const left = leaveWhereNobodyLooks(place);
      tries.push(await tryToRead(place), await tryToRead(place));
      expect(tries.includes("read")).toBe(false);
      // Settings at a place where there were none may have been moved away at the end of the command.
      const config = join(left, ".git", "config");
      expect(existsSync(config) ? readFileSync(config, "utf8") : settings).toBe(settings);
    },
  );

  test("and a file that its user replaces meanwhile, as editors save, stops no command of any session, each time", async () => {
    const place = furnish();
    const session = createSandbox(place.options);
    const [file, fresh] = [join(place.workspace, ".env"), join(place.workspace, "fresh")];
    writeFileSync(file, secret);
    const waiting = runProgram(
      await enterPlace(place, "for i in $(seq 600); do test -e stop && break; sleep 0.1; done", { sandbox: session }),
    );
    for (const time of [1, 2]) {
      writeFileSync(fresh, `${secret} ${time}`);
      renameSync(fresh, file);
      for (const sandbox of [session, createSandbox(place.options)]) {
        const { output } = await runInside(place, "echo runs; cat .env", { sandbox });
        expect([output.startsWith("runs\n"), output.includes(secret)]).toEqual([true, false]);
      }
    }
    writeFileSync(join(place.workspace, "stop"), "");
    await waiting;
  });

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
    for (const start of ["this", "next"]) expect((await runInside(place, `echo ${start}`)).output).toContain(start);
  });
});
