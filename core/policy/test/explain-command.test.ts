import type { PermissionMode, Policy } from "@capstan/protocol";
import { expect, test } from "vitest";
import { type CommandExplanation, explainCommand } from "../src/explain-command.ts";
import { bare, type Command, commandAction, policy, rules, situation } from "./situations.ts";

function explain(command: Command, under: Policy, mode: PermissionMode): CommandExplanation {
  const explained = explainCommand(commandAction(command), situation(under, mode));
  const segments = explained.segments.map((segment) => ({ ...segment, judgement: bare(segment.judgement) }));
  return { ...explained, segments, judgement: bare(explained.judgement) };
}

test("an explanation names what decided about every command of a script", () => {
  const all = rules("allow Bash(npm test)", "deny Bash(rm)");
  expect(explain("ls && npm test; make | rm x", policy({ rules: all }), "default")).toEqual({
    form: { type: "script", script: "ls && npm test; make | rm x", shell: "/bin/bash" },
    segments: [
      {
        words: ["ls"],
        decidedBy: "reading-list",
        judgement: { verdict: "allow", reason: "`ls` only reads inside the workspace." },
      },
      {
        words: ["npm", "test"],
        decidedBy: "rule",
        judgement: { verdict: "allow", reason: "The user rule `Bash(npm test)` allows `npm test`.", rule: all[0] },
      },
      {
        words: ["make"],
        decidedBy: "mode",
        judgement: {
          verdict: "ask",
          reason: "Needs approval: no rule allows `make` (it is not one of the commands known to only read).",
        },
      },
      {
        words: ["rm", "x"],
        decidedBy: "rule",
        judgement: { verdict: "deny", reason: "The user rule `Bash(rm)` denies `rm x`.", rule: all[1] },
      },
    ],
    judgement: { verdict: "deny", reason: "The user rule `Bash(rm)` denies `rm x`.", rule: all[1] },
  });
});

test("an explanation says what of a script was not understood", () => {
  expect(explain("ls > x", policy(), "auto")).toEqual({
    form: { type: "script", script: "ls > x", shell: "/bin/bash" },
    notUnderstood: "a redirection",
    segments: [],
    judgement: {
      verdict: "ask",
      reason: "Needs approval: `ls > x` has a redirection, so its effect is not certain.",
    },
  });
});

test("an explanation says why a reading command is not trusted beside others", () => {
  const [, second] = explain("cd .. && ls", policy(), "default").segments;
  expect(second).toEqual({
    words: ["ls"],
    decidedBy: "mode",
    judgement: {
      verdict: "ask",
      reason: "Needs approval: `ls` would pass alone, but `cd ..` may change what it means.",
    },
  });
});

test("an argument vector is explained as one command", () => {
  expect(explain(["make", "a;b"], policy(), "auto")).toEqual({
    form: { type: "argv", argv: ["make", "a;b"] },
    segments: [
      {
        words: ["make", "a;b"],
        decidedBy: "mode",
        judgement: { verdict: "allow", reason: "Mode `auto` allows commands that are fully understood." },
      },
    ],
    judgement: { verdict: "allow", reason: "Mode `auto` allows commands that are fully understood." },
  });
});
