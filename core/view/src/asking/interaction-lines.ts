import {
  type Action,
  type Confinement,
  type Interaction,
  type InteractionRequest,
  type Question,
  type Rule,
  unreachable,
} from "@capstan/protocol";
import { decisionLine, decisionText } from "../decision-text.ts";
import type { ProgressLine, ProgressTone } from "../layout/progress-line.ts";
import { approvalCard, type CardChange, type CardLine } from "./approval-card.ts";

type Approval = Extract<InteractionRequest, { type: "approval" }>;
type Recovery = Extract<InteractionRequest, { type: "recovery" }>;

/**
 * Everything a user needs to decide, whole and inert: nothing is cut, for what is cut off is what an attacker would hide.
 * @param now  ms since 1970, for the age
 */
export function interactionLines(interaction: Interaction, now: number): readonly ProgressLine[] {
  const { request } = interaction;
  switch (request.type) {
    case "approval":
      return [...approvalLines(request), ...originLines(interaction, now)];
    case "question":
      return [
        line("warning", `${request.asker ?? "The model"} asks:`),
        ...questionLines(request),
        ...originLines(interaction, now),
      ];
    case "plan-review":
      return [line("warning", "A plan is ready for review:"), ...block(request.plan), ...originLines(interaction, now)];
    case "budget":
      return [
        line("warning", budgetQuestion(request)),
        line("plain", "  continue allows as much again; stop ends the turn."),
        ...originLines(interaction, now),
      ];
    case "recovery":
      return [...recoveryLines(request), ...originLines(interaction, now)];
    default:
      return unreachable(request);
  }
}

/** A budget in money is kept by not making a call that might exceed it: it may be far from used up. */
function budgetQuestion({ limit, used, allowed }: Extract<InteractionRequest, { type: "budget" }>): string {
  const [isUsedUp, shown] = [used >= allowed, Number(used.toPrecision(3))];
  if (isUsedUp) return `The turn's limit of ${allowed} ${limit} is reached (${shown}). Continue?`;
  return `The next call may go beyond the turn's limit of ${allowed} ${limit} (${shown} used). Continue?`;
}

/** The question as it is asked, and then everything that it stands for. */
function approvalLines(request: Approval): readonly ProgressLine[] {
  const { title, warnings, changes } = approvalCard(request);
  const { action, reason, risk, remembered, grant } = request;
  return [
    { tone: "warning", text: title },
    ...warnings.map((warning): ProgressLine => ({ tone: "bad", text: `  ! ${warning}` })),
    line("plain", `  why asked: ${reason}`),
    line(risk === "high" ? "bad" : "plain", `  risk: ${risk}`),
    ...actionLines(action),
    ...changes.flatMap(changeLines),
    ...ruleLines("this session", remembered?.rule),
    ...ruleLines("always here", grant),
  ];
}

function changeLines({ path, kind, addedLines, removedLines, lines }: CardChange): readonly ProgressLine[] {
  return [
    { tone: "plain", text: `  ${kind} ${path} (+${addedLines} −${removedLines})` },
    ...lines.map(({ type, text }): ProgressLine => ({ tone: "diff", text: `    ${marks[type]}${text}` })),
  ];
}

const marks: Readonly<Record<CardLine["type"], string>> = { added: "+", removed: "-", same: " " };

/** What a yes that is remembered would allow. */
function ruleLines(until: string, rule: Rule | undefined): readonly ProgressLine[] {
  if (rule === undefined) return [];
  const bound = (rule.scripts ?? []).map(({ path }) => path);
  const as = bound.length === 0 ? "" : `, as long as ${bound.join(", ")} stays as it is`;
  return [line("muted", `  can be remembered, ${until}: ${rule.text}${as}`)];
}

function actionLines({ tool, arguments: args, command, paths, digest }: Action): readonly ProgressLine[] {
  const pathLines = paths.map(({ access, shown, real }) =>
    line("plain", `  ${access}: ${shown}${real === shown ? "" : ` = ${real}`}`),
  );
  const commandLines =
    command === undefined
      ? []
      : [
          line("plain", `  in: ${command.cwd}`),
          line("plain", `  ${confinementText(command.confinement)}; at most ${Math.round(command.timeoutMs / 1000)} s`),
          ...command.scripts.map(({ path, sha256 }) =>
            line("plain", `  runs: ${path} (content ${sha256.slice(0, 12)})`),
          ),
        ];
  return [
    line("plain", `  tool: ${tool}`),
    ...Object.entries(args).flatMap(([name, value]) => argumentLines(name, value)),
    ...commandLines,
    ...pathLines,
    line("muted", `  digest: ${digest}`),
  ];
}

/** Text as text, so that it can be read; anything else as JSON. */
function argumentLines(name: string, value: unknown): readonly ProgressLine[] {
  if (typeof value !== "string") return [line("plain", `  ${name}: ${JSON.stringify(value)}`)];
  if (!value.includes("\n")) return [line("plain", `  ${name}: ${value}`)];
  return [line("plain", `  ${name}:`), ...block(value)];
}

function confinementText(confinement: Confinement): string {
  if (confinement.type === "none")
    return confinement.asked === undefined
      ? "outside every sandbox"
      : `outside the sandbox, as the model asks: ${confinement.asked}`;
  const { workspace, hosts, writable } = confinement;
  const network = hosts.length === 0 ? "no network" : `network: ${hosts.join(", ")}`;
  const outside = writable.length === 0 ? "" : `; may also change ${writable.join(", ")}`;
  return `in the sandbox: the workspace can be ${workspace === "write" ? "changed" : workspace === "build" ? "read, its build folders changed" : "read only"}; ${network}${outside}`;
}

/** What a user should know of a question beside its words: why it is asked, and what counts when they do not answer. */
export function questionNotes({
  context,
  defaults,
  timeoutMs,
}: Pick<Question, "context" | "defaults" | "timeoutMs">): readonly string[] {
  const within = timeoutMs === undefined ? "Without an answer" : `Without an answer in ${timeoutMs / 1000} s`;
  const usual = defaults === undefined ? "the call fails" : `it counts as answered: ${defaults.join(", ")}`;
  return [
    ...(context === undefined ? [] : [context]),
    ...(defaults === undefined && timeoutMs === undefined ? [] : [`${within} ${usual}.`]),
  ];
}

function questionLines({ questions }: Extract<InteractionRequest, { type: "question" }>): readonly ProgressLine[] {
  return questions.flatMap(({ question, options, multiple, ...more }, at) => [
    line("plain", `  ${at + 1}. ${question}${multiple ? " (several may be chosen)" : ""}`),
    ...questionNotes(more).flatMap((note) => note.split("\n").map((text) => line("muted", `     ${text}`))),
    ...options.map(({ label, description }, index) =>
      line("plain", `     ${index + 1}) ${label}${description === undefined ? "" : ` - ${description}`}`),
    ),
  ]);
}

function recoveryLines({ calls }: Recovery): readonly ProgressLine[] {
  return [
    line("warning", "The process died while this ran, and nobody knows what became of it:"),
    ...calls.flatMap(({ action, finding, changed = [] }) => [
      line("plain", `  ${action.summary}`),
      ...(finding === undefined ? [] : block(finding)),
      ...changed.map((path) => line("plain", `    changed since: ${path}`)),
    ]),
  ];
}

function originLines({ origin, openedAt, expiresAt, answerers }: Interaction, now: number): readonly ProgressLine[] {
  const who = origin.user === undefined ? origin.frontend : `${origin.user}, ${origin.frontend}`;
  const expiry =
    expiresAt === null
      ? "waits as long as it takes"
      : expiresAt <= now
        ? "its time is up: it counts as denied"
        : `counts as denied in ${duration(expiresAt - now)}`;
  const may = answerers.length === 0 ? "" : `; only ${answerers.join(", ")} may answer`;
  return [line("muted", `  asked ${duration(now - openedAt)} ago, for ${who}; ${expiry}${may}`)];
}

/** Set off, so that it cannot pass for a line of ours. */
function block(text: string): readonly ProgressLine[] {
  return decisionText(text, shown)
    .split("\n")
    .map((part) => ({ tone: "plain", text: `    | ${part}` }));
}

/** Far more than any sensible call has; past it the middle is left out, and said to be. */
const shown = { limitCharacters: 60_000, whole: "capstan interactions show ID --json" };

/** Whole seconds, minutes, hours or days. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** One line, whatever is in it: a line break of somebody else's must not begin a line that looks like ours. */
function line(tone: ProgressTone, text: string): ProgressLine {
  const indentation = /^ */.exec(text)?.[0] ?? "";
  return { tone, text: `${indentation}${decisionLine(text.slice(indentation.length), shown)}` };
}
