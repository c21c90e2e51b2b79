import { explainPolicy as explainCall, type PolicyExplanation, placeOfRule, readPolicyFile } from "@capstan/host";
import {
  AppError,
  isJsonObject,
  type Isolation,
  type Judgement,
  type JsonObject,
  modeSentences,
  type PermissionMode,
  type Rule,
} from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { type SettingsFlags, settingsFromFlags, warningsOf } from "../command-line/settings-flags.ts";

interface JsonFlag {
  readonly json?: boolean;
}

interface ExplainFlags extends SettingsFlags, JsonFlag {
  readonly tool: string;
  readonly host?: readonly string[];
  readonly origin: string;
}

/** `capstan policy explain CALL`: how the gatekeeper reads a call, and what it would say. */
export async function explainPolicy(call: string, flags: ExplainFlags): Promise<number> {
  const settings = await settingsFromFlags(flags);
  for (const warning of warningsOf(settings)) process.stderr.write(`capstan: ${inertText(warning)}\n`);
  const mode = settings.loaded.values.permissions.mode;
  const isCommand = flags.tool === "run_command" && !call.trimStart().startsWith("{");
  const explanation = await explainCall(settings, {
    tool: flags.tool,
    arguments: isCommand ? { command: call } : jsonObject(call),
    hosts: flags.host ?? [],
    origin: flags.origin,
  });
  const text =
    flags.json === true
      ? JSON.stringify({ mode, ...withPlaces(explanation) }, null, 2)
      : lines(explanation, mode).join("\n");
  process.stdout.write(`${inertText(text)}\n`);
  return 0;
}

/** `capstan policy list`: every rule in force, and where it comes from. */
export async function listPolicy(flags: SettingsFlags & JsonFlag): Promise<number> {
  const { policy, loaded } = await settingsFromFlags(flags);
  for (const warning of loaded.warnings) process.stderr.write(`capstan: ${inertText(warning)}\n`);
  if (flags.json === true) {
    const rules = policy.rules.map((rule) => ({ ...rule, place: placeOfRule(rule) ?? null }));
    process.stdout.write(`${JSON.stringify({ approval: policy.approval, yolo: policy.yolo, rules }, null, 2)}\n`);
    return 0;
  }
  const ruleLines = policy.rules.map(
    (rule) => `${rule.verdict.padEnd(5)} ${rule.text}${notesOf(rule)}   # ${placeText(rule)}`,
  );
  process.stdout.write(`${inertText([`approval ${policy.approval}`, ...ruleLines].join("\n"))}\n`);
  return 0;
}

/** `capstan policy validate FILE`: reads a policy file as a run would. */
export async function validatePolicy(name: string, flags: JsonFlag): Promise<number> {
  const { file, rules, warnings, approval } = await readPolicyFile(name, process.cwd());
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ file, approval: approval ?? null, rules, warnings }, null, 2)}\n`);
    return 0;
  }
  for (const warning of warnings) process.stdout.write(`${inertText(`warning: ${warning}`)}\n`);
  process.stdout.write(
    `${inertText(`Valid: ${file}, ${rules.length} rules${approval === undefined ? "" : `, approval ${approval}`}`)}\n`,
  );
  return 0;
}

function jsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("usage.invalid", "the arguments are no JSON", {
      cause,
      hint: `Write them as in '{"path": "a.txt"}'.`,
    });
  }
  if (!isJsonObject(value)) throw new AppError("usage.invalid", "the arguments must be a JSON object");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse makes of an object is one
  return value;
}

function withPlaces({ rules, ...rest }: PolicyExplanation): object {
  return { ...rest, rules: rules.map((explained) => ({ ...explained, place: placeOfRule(explained.rule) ?? null })) };
}

function lines(explanation: PolicyExplanation, mode: PermissionMode): readonly string[] {
  const { action, judgement, headless, risk, sandbox, rules, grant } = explanation;
  const factors = risk.factors.length === 0 ? "" : ` (${risk.factors.join(", ")})`;
  return [
    `${judgement.verdict} (mode ${mode})`,
    `  ${judgement.reason}${ruleText(judgement)}`,
    ...(judgement.warnings ?? []).map((warning) => `  warning: ${warning}`),
    `Call: ${action.tool}: ${action.summary}`,
    ...readAs(explanation),
    ...(rules.length === 0 ? ["Rules: none speaks of it."] : ["Rules that speak of it:"]),
    ...rules.map(
      ({ rule, decided, why }) =>
        `  ${decided ? "▸" : " "} ${rule.verdict} ${rule.text}${notesOf(rule)} [${placeText(rule)}]: ${why}`,
    ),
    `Mode ${mode}: ${modeSentences[mode]}`,
    `Risk: ${risk.level}${factors}`,
    `Sandbox: ${sandboxText(sandbox.isolation)}; ${confinementText(action)}`,
    `Headless: ${headless.verdict}: ${headless.reason}`,
    ...(grant === undefined ? [] : [`"Always" would add: ${grant.verdict} ${grant.text}`]),
  ];
}

function readAs({ command, nested }: PolicyExplanation): readonly string[] {
  if (command === undefined) return [];
  const { notUnderstood, segments } = command;
  const parts =
    notUnderstood === undefined
      ? segments.flatMap(({ words, decidedBy, judgement: own }) => [
          `  ${JSON.stringify(words.join(" "))}`,
          `    ${own.verdict} (${decidedBy}): ${own.reason}${ruleText(own)}`,
        ])
      : [`  not understood: the script has ${notUnderstood}`];
  const inside = nested.map(
    ({ words, via }) => `  ${JSON.stringify(words.join(" "))}${via === undefined ? "" : ` (through ${via})`}`,
  );
  return [
    ...(parts.length === 0 ? [] : ["Read as:", ...parts]),
    ...(inside.length === 0 ? [] : ["Commands found in it, for rules that deny or ask:", ...inside]),
  ];
}

function confinementText({ command }: PolicyExplanation["action"]): string {
  if (command === undefined) return "this call starts no command";
  const { confinement } = command;
  if (confinement.type === "none") return "this command runs outside it";
  const { workspace, hosts, writable } = confinement;
  return [
    `workspace ${workspaceTexts[workspace]}`,
    hosts.length === 0 ? "no network" : `network ${hosts.join(", ")}`,
    ...(writable.length === 0 ? [] : [`writable ${writable.join(", ")}`]),
  ].join(", ");
}

const workspaceTexts = {
  write: "writable",
  build: "read-only but for build folders, which undo does not cover",
  read: "read-only",
  copy: "a private copy",
} as const;

function sandboxText(isolation: Isolation): string {
  switch (isolation.type) {
    case "enforced":
      return "enforced";
    case "partial":
      return `partial (lacks ${isolation.lacks.join(", ")})`;
    case "none":
      return `none (${isolation.reason})`;
  }
}

function notesOf({ locked, origin, risk, expiresAt, reason }: Rule): string {
  const notes = [
    ...(locked === true ? ["locked"] : []),
    ...(origin === undefined ? [] : [`from ${origin}`]),
    ...(risk === undefined ? [] : [`risk ${risk}`]),
    ...(expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString()}`]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}

function placeText(rule: Rule): string {
  const place = placeOfRule(rule);
  return place === undefined || place.includes(`(${rule.source})`)
    ? (place ?? rule.source)
    : `${place}, ${rule.source}`;
}

function ruleText({ rule }: Judgement): string {
  return rule === undefined ? "" : ` [rule ${rule.text}, ${placeText(rule)}]`;
}
