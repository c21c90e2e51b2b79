import { hookPoint } from "@capstan/hook-points";
import {
  type HookEvent,
  type HookResult,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type RuleVerdict,
} from "@capstan/protocol";

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
  if (!isJsonObject(value))
    return { result: "failed", message: "what it wrote begins like a JSON object, and is none" };
  return wordsOfObject(event, value);
}

function wordsOfObject(event: HookEvent, value: JsonObject): HookWords {
  const specific = fieldsOf(value, "hookSpecificOutput");
  const decided = fieldsOf(specific, "decision");
  const why = reasonOf([value["reason"], specific["permissionDecisionReason"], decided["message"]]);
  const takesVerdict = hookPoint(event).may.includes("verdict");
  const verdict = takesVerdict ? (behaviorOf(decided) ?? verdictOf(value, specific)) : undefined;
  const block = !takesVerdict && value["decision"] === "block" ? why : undefined;
  const stop = stopOf(value) ?? (verdict === "deny" && decided["interrupt"] === true ? why : undefined);
  const refused = verdict === "deny" ? why : (block ?? stop);
  return given({
    result: refused === undefined ? "passed" : "blocked",
    message: textIn(value, "systemMessage") ?? refused,
    verdict: verdict === undefined ? undefined : { verdict, reason: why },
    ...changesOf(value, specific, decided),
    block,
    stop,
  });
}

/** What takes the place of what there is, or comes beside it. */
function changesOf(
  value: JsonObject,
  specific: JsonObject,
  decided: JsonObject,
): { readonly [Name in "input" | "context" | "output"]: HookWords[Name] | undefined } {
  return {
    input: objectIn(specific, "updatedInput") ?? objectIn(decided, "updatedInput"),
    context: textIn(specific, "additionalContext") ?? textIn(value, "additionalContext"),
    output: textOf(specific["updatedToolOutput"] ?? specific["updatedMCPToolOutput"]),
  };
}

function reasonOf(words: readonly (JsonValue | undefined)[]): string {
  return words.find((word): word is string => typeof word === "string" && word.trim() !== "") ?? noReason;
}

function fieldsOf(value: JsonObject, name: string): JsonObject {
  return objectIn(value, name) ?? {};
}

const noReason = "it gave no reason";

function stopOf(value: JsonObject): string | undefined {
  return value["continue"] === false ? (textIn(value, "stopReason") ?? noReason) : undefined;
}

function objectIn(value: JsonObject, name: string): JsonObject | undefined {
  const object = value[name];
  return isJsonObject(object) ? object : undefined;
}

/** Only the fields that there are. */
function given({
  result,
  ...fields
}: { readonly [Name in keyof HookWords]: HookWords[Name] | undefined } & Pick<HookWords, "result">): HookWords {
  return { result, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

/** What it means that a program ended with 2: no, and why. */
export function refusal(event: HookEvent, reason: string): HookWords {
  const { may } = hookPoint(event);
  const why = reason.trim() === "" ? noReason : reason.trim();
  const said = { message: why } as const;
  if (may.includes("verdict")) return { result: "blocked", ...said, verdict: { verdict: "deny", reason: why } };
  if (may.includes("block") && event !== "SessionStart" && event !== "SubagentStart")
    return { result: "blocked", ...said, block: why };
  return may.includes("context") && event === "PostToolUseFailure"
    ? { result: "passed", ...said, context: why }
    : { result: "failed", ...said };
}

/** What answers a question in its user's place. */
function behaviorOf({ behavior }: JsonObject): RuleVerdict | undefined {
  return behavior === "allow" || behavior === "deny" ? behavior : undefined;
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
