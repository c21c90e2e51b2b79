import { expect, test } from "vitest";
import { commandFamily } from "../../src/commands/family.ts";
import { grantOffer, sessionOffer } from "../../src/grant-offer.ts";
import { judge } from "../../src/judge/judge.ts";
import { commandAction, situation } from "../situations.ts";

test.each([
  ["npm run test:unit -- --watch", "npm run"],
  ["npm test", "npm test"],
  ["git commit -m x", "git commit"],
  ["tsc --noEmit", "tsc"],
  ["cat ./a.txt", "cat"],
  ["./count.sh again", "./count.sh again"],
  ["make build", "make build"],
  ["pytest -q", "pytest"],
])("%s is of the family %s", (command, family) => {
  expect(commandFamily(command.split(" "))?.join(" ")).toBe(family);
});

test.each([
  "sh build.sh",
  "bash -c ls",
  "/usr/bin/bash -c ls",
  "node build.js",
  "python3 x.py",
  "perl -e 1",
  "awk {print}",
  "env FOO=1 ls",
  "xargs rm",
  "npx tsc",
  "npm exec tsc",
  "sudo ls",
  "timeout 5 ls",
  "find . -exec rm",
  "rm -r x",
  "dd if=a",
  "curl a.org",
  "git push origin",
  "git -C x push",
  "npm publish",
  "npm --prefix x test",
  "FOO=1 make",
  "cd x",
  "eval ls",
  "ssh host",
  "docker run x",
])("%s has no family: its first word runs what follows, or what it does is not brought back", (command) => {
  expect(commandFamily(command.split(" "))).toBeUndefined();
});

function offered(command: string): unknown {
  const offer = sessionOffer(commandAction(command), [], "/ws");
  return [offer?.what, offer?.rule.text];
}

test("a session is offered the family where there is one, else this very command", () => {
  expect(offered("npm run lint")).toEqual(["family", "run_command(npm run:*)"]);
  expect(offered("node build.js")).toEqual(["command", "run_command(node build.js)"]);
  expect(offered("npm test && git push")).toEqual(["command", "run_command(npm test && git push)"]);
});

test("what is remembered of one command covers the others of its family, and no other", () => {
  const rule = sessionOffer(commandAction("npm run lint"), [], "/ws")?.rule;
  if (rule === undefined) throw new Error("nothing is offered");
  const verdict = (command: string): string =>
    judge(commandAction(command), situation({ approval: "default", yolo: false, rules: [rule] })).verdict;
  expect(["npm run lint", "npm run test -- -u"].map(verdict)).toEqual(["allow", "allow"]);
  expect(["npm runx", "npm install", "npm run lint && npm publish"].map(verdict)).toEqual(["ask", "ask", "ask"]);
});

test("it holds as long as the files it takes its tasks from stay as they are", () => {
  const action = commandAction("npm run lint");
  const scripts = [{ path: "/ws/package.json", sha256: "a".repeat(64) }];
  const bound = { ...action, command: { ...action.command, scripts } };
  expect(sessionOffer(bound, [], "/ws")?.rule.scripts).toEqual(scripts);
});

test("of a tool a session remembers the file, or the tool where there is none", () => {
  const use = { real: "/ws/a.txt", shown: "a.txt", access: "write" } as const;
  const write = { tool: "edit_file", effect: "write", risk: "medium", paths: [use] } as const;
  expect(sessionOffer(write, [], "/ws")).toMatchObject({
    what: "file",
    rule: { path: "/ws/a.txt", tool: "edit_file" },
  });
  const post = { tool: "post", effect: "execute", risk: "medium", paths: [] } as const;
  expect(sessionOffer(post, [], "/ws")).toMatchObject({ what: "tool", rule: { tool: "post" } });
  expect(grantOffer(post, [], "/ws")).toBeUndefined();
  const several = { ...write, paths: [use, { ...use, real: "/ws/b.txt", shown: "b.txt" }] };
  expect(sessionOffer(several, [], "/ws")).toBeUndefined();
});
