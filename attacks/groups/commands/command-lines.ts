import { judge, parseRule } from "@capstan/policy";
import type { JsonObject, Rule, RuleVerdict } from "@capstan/protocol";
import { commandAttacks } from "../../data/command-attacks.ts";
import { inFilePlace } from "../../stage/file-place.ts";
import { firstWord, judgeNaively } from "../../stage/naive-gatekeeper.ts";
import { type Attack, outcome, stopped } from "../../suite/attack.ts";

type Command = string | readonly string[];

/**
 * C1 to C22: command lines that must not be taken for what they look like, under the rules of the catalogue, where a user has
 * agreed to `PROGRAM --version` for good. Those that even a careless gatekeeper stops prove nothing and are left out.
 */
export function commandLines(): readonly Attack[] {
  return commandAttacks.flatMap(({ row, never, denied }) => [
    ...distinct(never)
      .filter((command) => naiveVerdict(command) === "allow")
      .map((command) => commandLine(row, command, ["ask", "deny"])),
    ...distinct(denied)
      .filter((command) => naiveVerdict(command) !== "deny")
      .map((command) => commandLine(row, command, ["deny"])),
  ]);
}

/** Inputs of the table that no control lets through. */
export function leftOutCommandLines(): number {
  return (
    commandAttacks.flatMap(({ never, denied }) => [...distinct(never), ...distinct(denied)]).length -
    commandLines().length
  );
}

function commandLine(row: string, command: Command, stopping: readonly RuleVerdict[]): Attack {
  return {
    row,
    input: typeof command === "string" ? command : JSON.stringify(command),
    attempt: async () =>
      inFilePlace(async (place) => {
        const prepared = await place.prepare("run_command", argumentsOf(command));
        if (prepared.type === "refused") return stopped(`${prepared.code}: ${prepared.text.slice(0, 80)}`);
        const grants = agreedTo(command).flatMap((text) => grantOf(text));
        const { verdict, reason } = judge(prepared.action, {
          policy: { approval: "default", rules: [...catalogueRules, ...grants], yolo: false },
          mode: "default",
          workspace: { cwd: place.cwd, roots: [place.cwd] },
          // A user is there to be asked, and nothing keeps commands apart.
          sandbox: { ...place.sandbox, withoutIsolation: "ask" },
          frontend: "cli",
          now: 0,
        });
        return outcome(!stopping.includes(verdict), `${verdict}: ${reason.slice(0, 120)}`);
      }),
    control: async () => {
      const verdict = naiveVerdict(command);
      return await Promise.resolve(outcome(!stopping.includes(verdict), `${verdict} by its beginning`));
    },
  };
}

function distinct(commands: readonly Command[]): readonly Command[] {
  const byText = new Map(commands.map((command) => [JSON.stringify(command), command]));
  return [...byText.values()];
}

function naiveVerdict(command: Command): RuleVerdict {
  return judgeNaively(command, agreedTo(command));
}

/** A harmless command with the same program, where it has a plain name. */
function agreedTo(command: Command): readonly string[] {
  const first = firstWord(typeof command === "string" ? command : command.join(" "));
  return /^[\w./-]+$/.test(first) ? [`${first} --version`] : [];
}

function grantOf(command: string): readonly Rule[] {
  const parsed = parseRule(`run_command(${command})`, "allow", "grant");
  return "problem" in parsed ? [] : [parsed];
}

function argumentsOf(command: Command): JsonObject {
  return typeof command === "string" ? { command } : { argv: [...command] };
}

const catalogueRules: readonly Rule[] = [
  rule("allow", "run_command(echo *)"),
  rule("allow", "run_command(ls *)"),
  rule("allow", "run_command(rg *)"),
  rule("allow", "run_command(git status)"),
  rule("deny", "run_command(curl)"),
  rule("deny", "run_command(rm)"),
];

function rule(verdict: RuleVerdict, text: string): Rule {
  const parsed = parseRule(text, verdict, "user");
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}
