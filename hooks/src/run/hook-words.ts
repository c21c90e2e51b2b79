import { hookPoint } from "@capstan/hook-points";
import { type HookEvent, type HookResult, isJsonObject, type JsonObject, type JsonValue, type RuleVerdict } from "@capstan/protocol";

/** What one hook answered, before it is known whose it is. */
export interface HookWords {
  readonly result: HookResult;
  /** For people. */
  readonly message?: string;
  readonly verdict?: { readonly verdict: RuleVerdict; readonly reason: string };
  /** In the fields that the hook was shown. */
  readonly input?: JsonObject;
  readonly context?: string;
  readonly output?: string;
  readonly block?: string;
  readonly stop?: string;
}

/** Moments at which plain words are for the model. */
const listening: ReadonlySet<HookEvent> = new Set([
  "SessionStart",
  "SubagentStart",
  "UserPromptSubmit",
  "BeforeRun",
  "BeforeContextPack",
  "AfterContextPack",
]);

/** What a hook that ended well wrote: an object of the known fields, or words. */
export function wordsOf(event: HookEvent, text: string): HookWords {
  const trimmed = text.trim();
  if (trimmed === "") return { result: "passed" };
  if (!trimmed.startsWith("{"))
    return listening.has(event) ? { result: "passed", context: trimmed } : { result: "passed" };
  const value = parsed(trimmed);
  if (!isJsonObject(value)) return { result: "failed", message: "what it wrote begins like a JSON object, and is none" };
  return wordsOfObject(event, value);
}

export function wordsOfObject(event: HookEvent, value: JsonObject): HookWords {
  const specific = isJsonObject(value["hookSpecificOutput"]) ? value["hookSpecificOutput"] : {};
  const reason = textIn(value, "reason") ?? textIn(specific, "permissionDecisionReason") ?? "";
  const takesVerdict = hookPoint(event).may.includes("verdict");
  const verdict = takesVerdict ? verdictOf(value, specific) : undefined;
  const isBlock = !takesVerdict && value["decision"] === "block";
  const input = specific["updatedInput"];
  const output = textOf(specific["updatedToolOutput"] ?? specific["updatedMCPToolOutput"]);
  const context = textIn(specific, "additionalContext") ?? textIn(value, "additionalContext");
  const message = textIn(value, "systemMessage");
  const stop = value["continue"] === false ? (textIn(value, "stopReason") ?? "it gave no reason") : undefined;
  const why = reason === "" ? "it gave no reason" : reason;
  return {
    result: verdict === "deny" || isBlock || stop !== undefined ? "blocked" : "passed",
    ...withMessage(message ?? (verdict === "deny" || isBlock ? why : stop)),
    ...(verdict === undefined ? {} : { verdict: { verdict, reason: why } }),
    ...(isJsonObject(input) ? { input } : {}),
    ...(context === undefined ? {} : { context }),
    ...(output === undefined ? {} : { output }),
    ...(isBlock ? { block: why } : {}),
    ...(stop === undefined ? {} : { stop }),
  };
}

/** What it means that a program ended with 2: no, and why. */
export function refusal(event: HookEvent, reason: string): HookWords {
  const { may } = hookPoint(event);
  const why = reason.trim() === "" ? "it gave no reason" : reason.trim();
  const said = { message: why } as const;
  if (may.includes("verdict")) return { result: "blocked", ...said, verdict: { verdict: "deny", reason: why } };
  if (may.includes("block") && event !== "SessionStart" && event !== "SubagentStart")
    return { result: "blocked", ...said, block: why };
  return may.includes("context") && event === "PostToolUseFailure"
    ? { result: "passed", ...said, context: why }
    : { result: "failed", ...said };
}

/** Older scripts say `decision`: approve or block. */
function verdictOf(value: JsonObject, specific: JsonObject): RuleVerdict | undefined {
  const word = specific["permissionDecision"] ?? value["permissionDecision"] ?? value["decision"];
  switch (word) {
    case "allow":
    case "approve":
      return "allow";
    case "deny":
    case "block":
      return "deny";
    case "ask":
    // To be decided on later is to be asked about.
    case "defer":
      return "ask";
    default:
      return undefined;
  }
}

function withMessage(message: string | undefined): { readonly message?: string } {
  return message === undefined ? {} : { message };
}

function textIn(value: JsonObject, name: string): string | undefined {
  const text = value[name];
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
}

function parsed(text: string): JsonValue | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse returns is JSON
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
