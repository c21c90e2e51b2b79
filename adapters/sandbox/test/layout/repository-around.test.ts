/** A package of a monorepo as workspace: what lies around it in its repository may be read. */
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { type Confined, enterPlace, makePlace, type Place, runInside } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";
import { runProgram } from "../support/run-program.ts";
import { until } from "../support/until.ts";

/** @param top  of the repository; `packages/a` in it is the workspace */
function monorepo(choose: (place: Place) => string = ({ workspace }) => workspace): Place & { readonly top: string } {
  const made = makePlace();
  const top = choose(made);
  const files = {
    ".env": "KEY=very-secret\n",
    ".gitignore": ".env\nnode_modules\n",
    "config/keys/server.pem": "very-secret\n",
    "node_modules/dep/index.js": "module.exports = 'hoisted';\n",
    "packages/a/index.js": "console.log(require('dep'));\n",
    "packages/b/b.txt": "beside\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  const git = (...words: readonly string[]): unknown => execFileSync("git", words, { cwd: top });
  git("init", "--quiet");
  git("add", "packages");
  git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "first");
  return { ...made, workspace: join(top, "packages/a"), top };
}

const looking =
  "git log --format=%s; git status --short; node index.js; cat ../b/b.txt; cat ../../.env ../../config/keys/*; true";

describe.skipIf(!hasBubblewrap)("the repository around a workspace (needs bubblewrap)", () => {
  test.each(users)(
    "is read, by every command of a session of $name, and its protected files are closed",
    async (user) => {
      const place = monorepo();
      const closed = ["../../.env", "../../config/keys/server.pem"].map((path) => `cat: ${path}: Permission denied\n`);
      const all = `first\n?? ../../.gitignore\n?? ../../config/\nhoisted\nbeside\n${closed.join("")}`;
      const script = `exec 2>&1; ${looking}`;
      const outputs = (await user.runTogether(place, [script, script])).map(({ output }) => output);
      expect(outputs).toEqual([all, all]);
    },
  );

  test("is read in every mode", async () => {
    const place = monorepo();
    const sandbox = createSandbox(place.options);
    for (const workspace of ["write", "build", "read", "write"] as const satisfies readonly Confined["workspace"][]) {
      const { output } = await runInside(place, "cat ../b/b.txt ../../.env 2>&1", {
        sandbox,
        confinement: { workspace },
      });
      expect(output).toBe("beside\ncat: ../../.env: Permission denied\n");
    }
  });

  test("is not changed, while the workspace is", async () => {
    const place = monorepo();
    const { output } = await runInside(
      place,
      "exec 2>&1; echo x > x.txt && cat x.txt; echo x > ../b/x.txt; rm ../b/b.txt; git add x.txt",
    );
    expect(output).toMatch(/^x\n.*Read-only file system\n.*Read-only file system\n[^]*Read-only file system/);
  });

  test("has a secret that is saved again while a command runs closed again", async () => {
    const place = monorepo();
    const script =
      "until [ -e stop ]; do if cat ../../.env > last 2>/dev/null; then cat last >> seen; else echo closed >> seen; fi; done";
    const seen = (): string =>
      existsSync(join(place.workspace, "seen")) ? readFileSync(join(place.workspace, "seen"), "utf8") : "";
    const running = runProgram(await enterPlace(place, script));
    await until(() => seen().includes("closed"));
    writeFileSync(join(place.top, ".env.new"), "KEY=very-secret-too\n");
    renameSync(join(place.top, ".env.new"), join(place.top, ".env"));
    // It may have been open for a moment; what is seen from then on is closed again.
    await until(() => seen().endsWith("closed\n") && seen().length > 1000);
    writeFileSync(join(place.workspace, "seen"), "");
    await until(() => seen().split("closed").length > 30);
    expect(seen()).not.toContain("KEY");
    writeFileSync(join(place.workspace, "stop"), "");
    expect((await running).report.endedBecause).toBeUndefined();
  });

  const unseen = "cat: ../b/b.txt: No such file or directory\n";

  test("is not read where it is the home, holds Capstan's own folders, or the workspace has a repository of its own", async () => {
    const home = monorepo(({ home: folder }) => folder);
    expect((await runInside(home, "cat ../b/b.txt 2>&1")).output).toBe(unseen);
    const hiding = monorepo();
    const options = { ...hiding.options, hidden: [join(hiding.top, "packages")] };
    await expect(runInside({ ...hiding, options }, "true")).rejects.toThrow("Capstan's own folder");
    const beside = { ...hiding.options, hidden: [join(hiding.top, "config")] };
    expect((await runInside({ ...hiding, options: beside }, "cat ../b/b.txt 2>&1")).output).toBe(unseen);
    const own = monorepo();
    execFileSync("git", ["init", "--quiet"], { cwd: own.workspace });
    expect((await runInside(own, "cat ../b/b.txt 2>&1")).output).toBe(unseen);
  });

  test.skipIf(process.getuid?.() !== 0)("is not read where it is another user's (needs root)", async () => {
    const place = monorepo();
    chownSync(join(place.top, ".git"), 1001, 1001);
    expect((await runInside(place, "cat ../b/b.txt 2>&1")).output).toBe(unseen);
  });
});
