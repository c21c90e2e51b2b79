import {
  type FileChange,
  type HookAnswer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolOutcome,
} from "@capstan/protocol";

/** An outcome as it may be journaled: no secret in what the model reads, nor in what programs read. */
export function redactOutcome(outcome: ToolOutcome, redact: (text: string) => string): ToolOutcome {
  const content = redact(outcome.content);
  if (outcome.type !== "done" && outcome.type !== "failed" && outcome.type !== "proposed")
    return { ...outcome, content };
  const details = outcome.details === undefined ? {} : { details: redactJson(outcome.details, redact) };
  const media = outcome.type === "done" ? withoutSecretMedia(outcome, redact) : {};
  return { ...outcome, content, ...details, ...media };
}

/** A picture is shown whole or not at all. */
function withoutSecretMedia(
  { media }: Extract<ToolOutcome, { type: "done" }>,
  redact: (text: string) => string,
): Pick<Extract<ToolOutcome, { type: "done" }>, "media"> {
  if (media === undefined) return {};
  return { media: media.filter(({ data }) => redact(data) === data) };
}

/** Changes as they may be journaled. */
export function redactChanges(changes: readonly FileChange[], redact: (text: string) => string): readonly FileChange[] {
  return changes.map((change) => (change.diff === undefined ? change : { ...change, diff: redact(change.diff) }));
}

/** What hooks answered as it may be journaled. Arguments stay exactly what will run, as those of a model do. */
export function redactAnswer(answer: HookAnswer, redact: (text: string) => string): HookAnswer {
  const { arguments: args, verdict, context, ...texts } = answer;
  return {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, redact(text)])),
    ...(args === undefined ? {} : { arguments: args }),
    ...(verdict === undefined ? {} : { verdict: { ...verdict, reason: redact(verdict.reason) } }),
    ...(context === undefined ? {} : { context: context.map((text) => redact(text)) }),
  };
}

/** Every text and key in it without secrets. */
export function redactJson(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => redactJson(item, redact));
  return isJsonObject(value) ? redactObject(value, redact) : value;
}

export function redactObject(value: JsonObject, redact: (text: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactJson(item, redact)]));
}
