import type { Judgement, NestedCommand, PathUse, PermissionMode, Policy, Rule, RuleVerdict, Workspace } from "@capstan/protocol";
import { judge } from "../../src/gatekeeper/judge.ts";
import type { Scene } from "../../src/gatekeeper/scene.ts";
import { parseRule } from "../../src/gatekeeper/parse-rule.ts";
import type { JudgedAction } from "../../src/gatekeeper/scene.ts";

export const workspace: Workspace = { cwd: "/ws", roots: ["/ws", "/extra"] };

/** A script, or an argument vector. */
export type Command = string | readonly string[];

export function commandAction(
  command: Command,
  cwd = "/ws",
  nested: readonly NestedCommand[] = [],
): JudgedAction & Required<Pick<JudgedAction, "command">> {
  const form =
    typeof command === "string"
      ? ({ type: "script", script: command, shell: "/bin/bash" } as const)
      : ({ type: "argv", argv: command } as const);
  const confinement = { type: "none" } as const;
  return {
    tool: "run_command",
    effect: "execute",
    risk: "high",
    paths: [],
    command: { form, cwd, timeoutMs: 1000, confinement, scripts: [], nested },
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

export interface Under extends Partial<Policy> {
  readonly mode?: PermissionMode;
  readonly cwd?: string;
  readonly nested?: readonly NestedCommand[];
}

/** No sandbox, and the person chose to go on without one. */
export function scene(policy: Policy, mode: PermissionMode): Scene {
  const sandbox = { isolation: { type: "none", reason: "it is off" }, autoRun: false, withoutIsolation: "run", hosts: [] } as const;
  return { policy, mode, workspace, sandbox, face: "cli", now: 0 };
}

export function judgeCommandUnder(
  command: Command,
  { mode = "default", cwd = "/ws", nested = [], ...overrides }: Under = {},
): Judgement {
  return judge(commandAction(command, cwd, nested), scene(policy(overrides), mode));
}

export function judgeUnder(action: JudgedAction, { mode = "default", ...overrides }: Under = {}): Judgement {
  return judge(action, scene(policy(overrides), mode));
}
