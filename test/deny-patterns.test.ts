/** One deny pattern, three who judge by it: the policy that is asked, the file tools that open, the sandbox that closes. */
import { DenyPatterns } from "@capstan/patterns";
import { judge } from "@capstan/policy";
import { type Rule, type Workspace } from "@capstan/protocol";
import { noSandbox, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deniedBy } from "../adapters/sandbox/src/protect/denied-paths.ts";
import { WorkspacePaths } from "../adapters/tools/src/paths/workspace-paths.ts";

const workspace: Workspace = { cwd: "/home/ws/sub", roots: ["/home/ws", "/other"] };

const patternName = fc
  .array(fc.constantFrom("a", "B", "é", "E\u0301", "ſ", "*", "?", ".", "[ab]", "[!a]", "{a,b*}", "k"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pieces) => pieces.join(""))
  .filter((name) => !/^\.+$/.test(name) && !name.includes("**"));
const pattern = fc
  .tuple(
    fc.constantFrom("", "**/", "./", "/home/ws/", "/other/", "**/ws/", "sub/"),
    fc.array(patternName, { minLength: 1, maxLength: 2 }),
    fc.constantFrom("", "/", "/**"),
  )
  .map(([start, names, end]) => start + names.join("/") + end);
const name = fc
  .array(fc.constantFrom("a", "b", "A", "é", "e\u0301", "É", "S", "\u212a", "k", ".", "\u200d", "%61", ":x"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pieces) => pieces.join(""))
  .filter((text) => !/^\.+$/.test(text));
const path = fc
  .tuple(fc.constantFrom("/home/ws", "/home/ws/sub", "/other"), fc.array(name, { minLength: 1, maxLength: 3 }))
  .map(([root, names]) => [root, ...names].join("/"));

test("policy, file tools and sandbox agree about every path", () => {
  fc.assert(
    fc.property(pattern, fc.array(path, { minLength: 1, maxLength: 5 }), (denied, paths) => {
      fc.pre(!("problem" in DenyPatterns.read([denied])));
      const tools = new WorkspacePaths({ deniedPatterns: [denied], allowAbsolute: true, spillDirectory: "/spill" });
      const isClosed = deniedBy([denied], [workspace.cwd, ...workspace.roots]);
      for (const real of paths) {
        const byTools = tools.isDenied(workspace, real);
        const byPolicy = isDeniedByPolicy(denied, real, tools.shown(workspace, real));
        expect({ denied, real, byPolicy, byTools }).toEqual({
          denied,
          real,
          byPolicy: isClosed(real),
          byTools: isClosed(real),
        });
      }
    }),
    { numRuns: runs(2000) },
  );
});

test("a command that names a protected file in other letters is denied, as its opening would be", () => {
  expect(["geh\u00e9im/x", "../GEHE\u0301IM", "geheim/x"].map(command)).toEqual(["deny", "deny", "allow"]);
});

function command(word: string): string {
  const form = { type: "argv", argv: ["cat", word] } as const;
  const confinement = { type: "none" } as const;
  return judge(
    {
      tool: "run_command",
      effect: "execute",
      risk: "high",
      paths: [],
      command: { form, cwd: workspace.cwd, timeoutMs: 1000, confinement, scripts: [], nested: [] },
    },
    situationOf("**/gehe\u0301im/**"),
  ).verdict;
}

function isDeniedByPolicy(denied: string, real: string, shown: string): boolean {
  const paths = [{ real, shown, access: "read" }] as const;
  return judge({ tool: "read_file", effect: "read", risk: "low", paths }, situationOf(denied)).verdict === "deny";
}

function situationOf(denied: string): Parameters<typeof judge>[1] {
  const rule: Rule = {
    verdict: "deny",
    tool: "read_file",
    path: denied,
    protects: true,
    source: "built-in",
    text: denied,
  };
  return {
    policy: { approval: "default", rules: [rule], yolo: false },
    mode: "default",
    workspace,
    sandbox: noSandbox,
    frontend: "cli",
    now: 0,
  };
}
