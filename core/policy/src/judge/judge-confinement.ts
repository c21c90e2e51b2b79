import type { Confinement, Judgement, Rule } from "@capstan/protocol";
import { grantOffer } from "../grant-offer.ts";
import { inertText, quoteText } from "../quote-for-people.ts";
import { judgementByRule } from "./judgement-by-rule.ts";
import { coversHost, opensHost } from "../rules/host-pattern.ts";
import { matchesTool } from "../rules/tool-names.ts";
import { changesWorkspace, type CommandAction, runsIsolated, type Situation } from "../situation.ts";

type Boxed = Extract<Confinement, { readonly type: "sandbox" }>;

/**
 * What the sandbox, or its absence, means for a command that no rule denies, before rules that allow are read.
 * @returns `undefined` when it is no reason to stop or to ask
 */
export function judgeConfinement(action: CommandAction, situation: Situation): Judgement | undefined {
  const { confinement } = action.command;
  if (confinement.type === "none" && confinement.asked !== undefined) return outside(confinement.asked, situation);
  if (!runsIsolated(action, situation)) return unisolated(action, situation);
  return confinement.type === "sandbox" ? beyondBox(action, confinement, situation) : undefined;
}

/** A deny or ask rule about a host that the command wants. */
export function hostRule(action: CommandAction, situation: Situation, verdict: "deny" | "ask"): Rule | undefined {
  const { confinement } = action.command;
  if (confinement.type !== "sandbox") return undefined;
  const rules = hostRules(action, situation).filter((rule) => rule.verdict === verdict);
  return rules.find(({ host = "" }) => confinement.hosts.some((wanted) => coversHost(host, wanted)));
}

/** Whether a command runs unasked because it is kept apart from the machine. */
export function runsInBox(action: CommandAction, situation: Situation): boolean {
  const { mode, policy, sandbox } = situation;
  if (!runsIsolated(action, situation)) return false;
  if (mode === "plan") return action.command.confinement.type === "sandbox";
  if (mode === "auto") return true;
  // The sentence of `default`: nothing of the user's changes without permission, by whatever tool.
  if (mode === "default" && changesWorkspace(action) && policy.approval !== "permissive") return false;
  return policy.approval !== "strict" && (sandbox.autoRun || policy.approval === "permissive");
}

/** What a user who is asked about a command should know of where it would run. */
export function confinementWarnings(action: CommandAction, { sandbox }: Situation): readonly string[] {
  const { confinement } = action.command;
  if (confinement.type === "none" && confinement.asked !== undefined) {
    return [`It would run OUTSIDE the sandbox. The model's reason: ${inertText(confinement.asked)}`];
  }
  switch (sandbox.isolation.type) {
    case "enforced":
      return [];
    case "partial":
      return [`The sandbox is not whole here: ${sandbox.isolation.lacks.join(", ")}.`];
    case "none":
      return [`NO SANDBOX: ${inertText(sandbox.isolation.reason)}. It would run with all your rights.`];
  }
}

function outside(why: string, { policy, mode }: Situation): Judgement {
  if (policy.approval === "strict" && mode !== "auto")
    return denies("Strict approval denies running outside the sandbox.");
  if (policy.yolo) return { verdict: "allow", reason: "`--yolo` allows what no rule denies or asks about." };
  return asks(`it would run outside the sandbox (${inertText(why)})`);
}

function unisolated(action: CommandAction, { sandbox, workspace }: Situation): Judgement | undefined {
  const { isolation, withoutIsolation } = sandbox;
  if (withoutIsolation !== "refuse" && withoutIsolation !== "refuse-unless-reported") return undefined;
  const state =
    isolation.type === "partial"
      ? `The sandbox is not whole here (${isolation.lacks.join(", ")})`
      : `There is no sandbox here (${isolation.type === "none" ? inertText(isolation.reason) : "it is not used"})`;
  return denies(
    withoutIsolation === "refuse"
      ? `${state}, and the configuration refuses commands without one. Use the file and search tools. ${configured}`
      : `${state}, and commands are not run without one when nobody can be asked. Use the file and search tools. ${reportedBy(action, workspace.cwd)}`,
  );
}

const configured = 'To be asked each time, the user sets `sandbox.unavailable = "ask"` in their own configuration.';

/** The words that would let it run: exactly this command, where a rule can name it, and every command. */
function reportedBy(action: CommandAction, home: string): string {
  const rule = grantOffer(action, [], home)?.text;
  const exact = rule === undefined ? "" : `\`--allow ${shellWord(inertText(rule))}\`, or for every command with `;
  return `To let it run without a sandbox, the user starts Capstan with ${exact}\`--yolo\`.`;
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What the command wants beyond its box: hosts that nobody opened, paths outside the workspace. */
function beyondBox(action: CommandAction, { hosts, writable }: Boxed, situation: Situation): Judgement | undefined {
  const { policy, mode, sandbox } = situation;
  const allowing = hostRules(action, situation).filter((rule) => rule.verdict === "allow");
  const open = [...sandbox.hosts, ...allowing.map(({ host = "" }) => host)];
  const closed = hosts.filter((host) => !open.some((pattern) => opensHost(pattern, host)));
  const wants = [
    ...(closed.length === 0 ? [] : [`reach ${closed.map(quoteText).join(", ")}`]),
    ...(writable.length === 0 ? [] : [`write to ${writable.map(quoteText).join(", ")}`]),
  ].join(" and ");
  if (wants === "") return undefined;
  if (policy.yolo) return undefined;
  if (policy.approval === "strict" && mode !== "auto") return denies(`Strict approval denies that it may ${wants}.`);
  return asks(`it would ${wants}`);
}

function hostRules({ tool }: CommandAction, { policy }: Situation): readonly Rule[] {
  const known = aboutHosts.get(policy.rules) ?? policy.rules.filter(({ host }) => host !== undefined);
  aboutHosts.set(policy.rules, known);
  return known.filter((rule) => matchesTool(rule.tool, tool));
}

/** A pure function's memory: a session judges all its calls by one list of rules. */
const aboutHosts = new WeakMap<readonly Rule[], readonly Rule[]>();

/** The judgement of a rule about hosts. */
export function byHostRule(rule: Rule): Judgement {
  return judgementByRule(rule, quoteText(rule.host ?? ""));
}

function asks(why: string): Judgement {
  return { verdict: "ask", reason: `Needs approval: ${why}.` };
}

function denies(reason: string): Judgement {
  return { verdict: "deny", reason };
}
