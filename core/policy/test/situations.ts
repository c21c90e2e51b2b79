import type {
  Judgement,
  NestedCommand,
  PathUse,
  PermissionMode,
  Policy,
  Rule,
  RuleVerdict,
  Workspace,
} from "@capstan/protocol";
import { noSandbox } from "@capstan/testkit";
import { judge } from "../src/judge/judge.ts";
import { parseRule } from "../src/rules/parse-rule.ts";
import type { CommandAction, JudgedAction, Situation } from "../src/situation.ts";

export const workspace: Workspace = { cwd: "/ws", roots: ["/ws", "/extra"] };

/** A script, or an argument vector. */
export type Command = string | readonly string[];

export function commandAction(command: Command, cwd = "/ws", nested: readonly NestedCommand[] = []): CommandAction {
  const form =
    typeof command === "string"
      ? ({ type: "script", script: command, shell: "/bin/bash" } as const)
      : ({ type: "argv", argv: command } as const);
  return {
    tool: "run_command",
    effect: "execute",
    risk: "high",
    paths: [],
    command: { form, cwd, timeoutMs: 1000, confinement: { type: "none" }, scripts: [], nested },
  };
}

export function fileAction(tool: string, access: PathUse["access"], ...shown: readonly string[]): JudgedAction {
  const effect = access === "read" ? "read" : "write";
  const paths = shown.map((path) => ({ real: path.startsWith("/") ? path : `/ws/${path}`, shown: path, access }));
  return { tool, effect, risk: access === "read" ? "low" : "medium", paths };
}

/** `deny curl`-like lines: a verdict and a rule. */
export function rules(...lines: readonly string[]): readonly Rule[] {
  return lines.map((line) => {
    const [verdict = "", ...text] = line.split(" ");
    const rule = parseRule(text.join(" "), toVerdict(verdict), "user");
    if ("problem" in rule) throw new Error(rule.problem);
    return rule;
  });
}

function toVerdict(text: string): RuleVerdict {
  if (text === "allow" || text === "ask" || text === "deny") return text;
  throw new Error(`no verdict: ${text}`);
}

export function policy(overrides: Partial<Policy> = {}): Policy {
  return { approval: "default", rules: [], yolo: false, ...overrides };
}

/** Where nothing keeps commands apart and the user chose so: rules and modes decide alone. */
export function situation(under: Policy, mode: PermissionMode = "default"): Situation {
  return { policy: under, mode, workspace, sandbox: noSandbox, frontend: "cli", now: 0 };
}

/** Without the warnings, which say each time that there is no sandbox. */
export function bare({ verdict, reason, rule }: Judgement): Judgement {
  return { verdict, reason, ...(rule === undefined ? {} : { rule }) };
}

export interface Under extends Partial<Policy> {
  readonly mode?: PermissionMode;
  readonly cwd?: string;
  /** What a tolerant walk found inside the command. */
  readonly nested?: readonly NestedCommand[];
}

export function judgeCommandUnder(
  command: Command,
  { mode = "default", cwd = "/ws", nested = [], ...overrides }: Under = {},
): Judgement {
  return bare(judge(commandAction(command, cwd, nested), situation(policy(overrides), mode)));
}

export function judgeUnder(action: JudgedAction, { mode = "default", ...overrides }: Under = {}): Judgement {
  return bare(judge(action, situation(policy(overrides), mode)));
}
