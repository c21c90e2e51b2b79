/** Capstan works on Capstan: a turn edits, tests and commits in a clone of this repository, with the user's sandbox around it. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { linesOf, parseResult } from "../end-to-end/stage/read-output.ts";
import { missingPrograms } from "./run-everyday.ts";

const place = usePlace();
const root = join(import.meta.dirname, "../..");
const missing = missingPrograms(["git", "bwrap"]);
const lacks = [...missing, ...(existsSync(join(root, ".git")) ? [] : ["a repository"])];

const source = "core/patterns/src/is-within.ts";
const specification = "core/patterns/test/is-within.test.ts";

/** What the model does in one turn: looks, edits, runs the tests of what it edited, and commits. */
function turn(edit: { readonly file: string; readonly from: string; readonly to: string }, subject: string): object[] {
  return [
    {
      tool_calls: [
        call("run_command", { command: "git log --oneline -1 && git status --short" }),
        call("read_file", { path: edit.file }),
      ],
    },
    { tool_calls: [call("edit_file", { path: edit.file, old_string: edit.from, new_string: edit.to })] },
    {
      tool_calls: [
        call("run_command", {
          command: `npx vitest run --maxWorkers=1 ${specification}`,
          timeout_seconds: 120,
        }),
      ],
    },
    {
      tool_calls: [
        call("run_command", { command: `git diff --stat && git commit -qam '${subject}' && git status --short` }),
      ],
    },
    { text: "done" },
  ];
}

function call(name: string, args: object): object {
  return { name, arguments: args };
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: place.workspace, encoding: "utf8" }).trim();
}

/** One turn in a process of its own. @returns what the model is shown of its calls */
async function work(turns: readonly object[], flags: readonly string[] = []): Promise<readonly string[]> {
  const stage = await place.rehearse("anthropic", turns);
  const sandboxed = ["--trust", "--sandbox", "required", "--permission-mode", "accept-edits"];
  const run = await stage.run([...sandboxed, "--output-format", "stream-json", ...flags, "make it clearer"]);
  expect([run.stderr, run.code]).toEqual([expect.stringMatching(/^capstan: WARNING: --trust: [^\n]*\n$/), 0]);
  expect(parseResult(run)).toMatchObject({ outcome: "done" });
  return linesOf(run, "tool-finished").map(({ outcome }) => String(Reflect.get(Object(outcome), "content")));
}

test.skipIf(lacks.length > 0)(
  `a turn edits, tests and commits in Capstan's own repository, and so does the next (needs ${lacks.join(", ") || "nothing more"})`,
  async () => {
    writeFileSync(join(place.folder, "home", ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
    execFileSync("git", ["clone", "--quiet", root, "."], { cwd: place.workspace });
    cpSync(join(root, "node_modules"), join(place.workspace, "node_modules"), {
      recursive: true,
      verbatimSymlinks: true,
      // What other tests keep there comes and goes.
      filter: (path) => !basename(path).startsWith(".capstan-"),
    });
    const start = git("rev-parse", "HEAD");
    const original = "export function isWithin(";
    const works = [
      turn(
        { file: source, from: original, to: `// It reads names, not the disk.\n${original}` },
        "patterns: say what is read",
      ),
      turn(
        { file: specification, from: "import { expect", to: "// Real names.\nimport { expect" },
        "patterns: say what is tried",
      ),
    ];
    const building = { command: "npx tsc -b && echo built", timeout_seconds: 120 };
    const built = await work([{ tool_calls: [call("run_command", building)] }, { text: "done" }]);
    expect(built).toEqual([expect.stringMatching(/^Exit code: 0 [^]*\nbuilt\n?$/)]);
    for (const turns of works) {
      const results = await work(turns, ["--continue"]);
      expect(results).toHaveLength(5);
      expect(results[3]).toMatch(/^Exit code: 0 [^]*Test Files {2}1 passed/);
      expect(results[4]).toMatch(/^Exit code: 0 [^]*1 file changed, 1 insertion/);
      expect(results.join("\n")).not.toContain("[Sandbox:");
    }
    expect(git("log", "--format=%an <%ae> %s", `${start}..HEAD`).split("\n")).toEqual([
      "Ada <ada@example.org> patterns: say what is tried",
      "Ada <ada@example.org> patterns: say what is read",
    ]);
    expect(git("diff", "--stat", start, "HEAD")).toMatch(/2 files changed, 2 insertions\(\+\)$/);
    // The build is ignored; nothing else lies about.
    expect(git("status", "--short")).toBe("");
  },
);
