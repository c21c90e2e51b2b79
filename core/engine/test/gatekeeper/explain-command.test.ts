import { expect, test } from "vitest";
import { explainCommand } from "../../src/gatekeeper/explain-command.ts";
import { policy, rules, workspace } from "./scenes.ts";

test("an explanation names what decided about every command of a script", () => {
  const all = rules("allow Bash(npm test)", "deny Bash(rm)");
  expect(explainCommand("ls && npm test; make | rm x", policy({ rules: all }), "default", workspace)).toEqual({
    form: { type: "script", script: "ls && npm test; make | rm x", shell: "bash" },
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
          reason: "A person must agree: no rule allows `make` (it is not one of the commands known to only read).",
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
  expect(explainCommand("ls > x", policy(), "auto", workspace)).toEqual({
    form: { type: "script", script: "ls > x", shell: "bash" },
    notUnderstood: "a redirection",
    segments: [],
    judgement: {
      verdict: "ask",
      reason: "A person must agree: `ls > x` has a redirection, so what it does cannot be told for certain.",
    },
  });
});

test("an explanation says why a reading command is not trusted beside others", () => {
  const [, second] = explainCommand("cd .. && ls", policy(), "default", workspace).segments;
  expect(second).toEqual({
    words: ["ls"],
    decidedBy: "mode",
    judgement: {
      verdict: "ask",
      reason: "A person must agree: `ls` would pass alone, but `cd ..` may change what it means.",
    },
  });
});

test("an argument vector is explained as one command", () => {
  expect(explainCommand(["make", "a;b"], policy(), "auto", workspace)).toEqual({
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
