/** The attack catalogue's group C as a table: with what the tolerant walk finds, as the tool hands it over, and without. */
import type { NestedCommand, PathUse, RuleVerdict } from "@capstan/protocol";
import { isSlowTier, sampled } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { nestedCommands } from "../../../adapters/tools/src/run-command/nested-commands/nested-commands.ts";
import { commandAttacks } from "../../../attacks/data/command-attacks.ts";
import { judge } from "../src/judge/judge.ts";
import {
  type Command,
  commandAction,
  fileAction,
  judgeCommandUnder,
  judgeUnder,
  policy,
  rules,
  situation,
  type Under,
} from "./situations.ts";

const setup = rules(
  "allow run_command(echo *)",
  "allow run_command(ls *)",
  "allow run_command(rg *)",
  "allow run_command(git status)",
  "deny run_command(curl)",
  "deny run_command(rm)",
);

/** Every mode and approval that could let more through than the default. */
const places: readonly Under[] = [
  {},
  { mode: "auto" },
  { mode: "accept-edits", approval: "permissive" },
  { approval: "permissive" },
];

function verdict(command: Command, nested: readonly NestedCommand[], under: Under): RuleVerdict {
  const { mode = "default", ...overrides } = under;
  const there = situation(policy({ rules: setup, ...overrides }), mode);
  // A user is there to be asked, and nothing keeps commands apart.
  const sandbox = { ...there.sandbox, withoutIsolation: "ask" } as const;
  return judge(commandAction(command, "/ws", nested), { ...there, sandbox }).verdict;
}

async function walked(command: Command): Promise<readonly NestedCommand[]> {
  const form =
    typeof command === "string"
      ? ({ type: "script", script: command, shell: "/bin/bash" } as const)
      : ({ type: "argv", argv: command } as const);
  return (await nestedCommands(form)).commands;
}

/** Commands of which some verdict is not as it should be. */
async function offenders(
  commands: readonly Command[],
  under: readonly Under[],
  isRight: (verdict: RuleVerdict) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const command of commands) {
    const nested = await walked(command);
    const verdicts = under.map((place) => verdict(command, nested, place));
    if (!verdicts.every(isRight)) found.push(`${JSON.stringify(command).slice(0, 100)}: ${verdicts.join(", ")}`);
  }
  return found;
}

/** Longer commands take most of the time; in the fast tier `command-attacks.test.ts` has some. */
const longCharacters = 20_000;

/** All of a list in the slow tier; some of it, and none of the longest, in the fast one. */
function tried(commands: readonly Command[]): readonly Command[] {
  return isSlowTier ? commands : sampled(commands, 12).filter((command) => String(command).length < longCharacters);
}

describe.each(commandAttacks)("$row", ({ never, denied, harmless }) => {
  test("is never allowed without a sandbox", async () => {
    expect(await offenders(tried(never), places, (found) => found !== "allow")).toEqual([]);
  });

  test("what is denied stays denied, also with --yolo", async () => {
    expect(await offenders(tried(denied), [...places, { yolo: true }], (found) => found === "deny")).toEqual([]);
  });

  test("the harmless twin is allowed", async () => {
    expect(await offenders(tried(harmless), [{}], (found) => found === "allow")).toEqual([]);
  });
});

test("the table holds at least 500 inputs in 17 rows", () => {
  const inputs = commandAttacks.flatMap(({ never, denied, harmless }) => [...never, ...denied, ...harmless]);
  expect([commandAttacks.length, inputs.length >= 500]).toEqual([17, true]);
});

test("C2, C5: the walk catches what the scan of the text cannot, and the reason says how it was reached", async () => {
  const reasons: string[] = [];
  for (const command of ["$'\\x72m' x", "a=r b=m; sudo $a$b x", "echo $(a=cu b=rl; $a$b x)", "f() { a=r; ${a}m x; }"]) {
    expect([command, judgeCommandUnder(command, { rules: setup }).verdict]).toEqual([command, "ask"]);
    reasons.push(judgeCommandUnder(command, { rules: setup, nested: await walked(command) }).reason);
  }
  expect(reasons).toEqual([
    "The user rule `run_command(rm)` denies `rm x`.",
    "The user rule `run_command(rm)` denies `sudo rm x`.",
    "The user rule `run_command(curl)` denies `curl x` (inside `$(…)`).",
    "The user rule `run_command(rm)` denies `rm x` (inside a function).",
  ]);
});

test("C7: a rule's star is not the shell's, which may find a file named like an option", () => {
  for (const script of ["rg *", "ls *", "echo *"]) {
    expect([script, judgeCommandUnder(script, { rules: setup }).verdict]).toEqual([script, "ask"]);
  }
  const whole = rules("allow Bash(ls * | wc -l)");
  expect(judgeCommandUnder("ls * | wc -l", { rules: whole }).verdict).toBe("allow");
});

test("an ask rule asks about what is inside a command; nothing inside allows it", async () => {
  const asking = rules("ask run_command(git push)", "allow run_command(git status)");
  const push = "echo $(a=git; $a push)";
  expect(judgeCommandUnder(push, { rules: asking, nested: await walked(push), mode: "auto" })).toEqual({
    verdict: "ask",
    reason: "The user rule `run_command(git push)` asks for approval of `git push` (inside `$(…)`).",
    rule: asking[0],
  });
  for (const wrapped of ["sudo git status", "sh -c 'git status'", "echo $(git status)", "x=$(git status)"]) {
    const nested = await walked(wrapped);
    expect([wrapped, judgeCommandUnder(wrapped, { rules: asking, nested }).verdict]).toEqual([wrapped, "ask"]);
  }
});

test("a deny rule about files binds what is inside a command", async () => {
  const protecting = rules("deny Read(./.env)");
  for (const command of ["f=.env; cat $f", "sh -c 'f=.en; cat ${f}v'", "cat $'\\x2eenv'", "echo $(cat .env)"]) {
    const nested = await walked(command);
    expect([command, judgeCommandUnder(command, { rules: protecting, nested }).verdict]).toEqual([command, "deny"]);
  }
});

test("C16: nothing is safe where the command would start outside the workspace", () => {
  for (const cwd of ["/", "/ws/..", "/etc", "/ws_evil", "ws", "", "/proc/self/cwd"]) {
    expect([cwd, judgeCommandUnder("cat passwd", { cwd }).verdict]).toEqual([cwd, "ask"]);
  }
  expect(judgeCommandUnder("cat x", { cwd: "/ws/src" }).verdict).toBe("allow");
});

test("C19: plan mode has no shell without a sandbox", () => {
  for (const command of ["touch x", "rm x", "ls > x", "npm test", ["touch", "x"]]) {
    expect(judgeCommandUnder(command, { mode: "plan", rules: rules("allow *"), yolo: true }).verdict).toBe("deny");
  }
});

test("C23: a path rule begins at the top of the workspace", () => {
  const allowing = { rules: rules("allow Edit(src/**)") };
  const access: PathUse["access"] = "write";
  expect(judgeUnder(fileAction("write_file", access, "src/y"), allowing).verdict).toBe("allow");
  expect(judgeUnder(fileAction("write_file", access, "x/src/y"), allowing).verdict).toBe("ask");
  const denying = { rules: rules("deny Read(src/**)") };
  expect(judgeCommandUnder("cat src/y", denying).verdict).toBe("deny");
  expect(judgeCommandUnder("cat x/src/y", denying).verdict).toBe("allow");
});
