/** Rules about a folder hold in the working trees that were made from it. */
import type { Policy } from "@capstan/protocol";
import { expect, test } from "vitest";
import { pathInWorktree, policyInWorktree } from "../src/worktrees/worktree-settings.ts";

const from = { cwd: "/home/ann/shop", roots: ["/home/ann/shop"] };
const to = { cwd: "/home/ann/.capstan-worktrees/1", roots: ["/home/ann/.capstan-worktrees/1"] };

test("what is denied or asked about there is so for the same file in the working tree, and nothing more is allowed", () => {
  const rules = [
    rule("deny", "/home/ann/shop/prices/**"),
    rule("ask", "/home/ann/shop"),
    rule("allow", "/home/ann/shop/src/**"),
    rule("deny", "/home/ann/shopping/**"),
    rule("deny", "relative/**"),
  ];
  const policy: Policy = { approval: "default", rules, yolo: false };
  const added = policyInWorktree(policy, from, to).rules.slice(rules.length);
  expect(added.map(({ verdict, path }) => [verdict, path])).toEqual([
    ["deny", "/home/ann/.capstan-worktrees/1/prices/**"],
    ["ask", "/home/ann/.capstan-worktrees/1"],
  ]);
  expect(pathInWorktree("/etc/passwd", from, to)).toBeUndefined();
});

function rule(verdict: "allow" | "ask" | "deny", path: string): Policy["rules"][number] {
  return { verdict, tool: "write_file", path, source: "user", text: path };
}
