import { hookPoint } from "@capstan/hook-points";
import {
  canonicalJson,
  type HookAnswer,
  type HookEntry,
  type HookEvent,
  isJsonObject,
  type JsonObject,
  type HookVerdict,
} from "@capstan/protocol";
import { fromClaudeFields } from "@capstan/wording";
import type { HookWords } from "./hook-words.ts";

/** What a hook said, and of which call. */
export interface SaidOf {
  readonly entry: HookEntry;
  readonly words: HookWords;
  /** As it is, and as the hook was shown it; absent: it was about none. */
  readonly call?: { readonly name: string; readonly arguments: JsonObject; readonly shown: JsonObject };
}

/** An answer with that of one hook more: the strictest word on a call, the last arguments, all words for the model. */
export function withWords(answer: HookAnswer, event: HookEvent, { entry, words, call }: SaidOf): HookAnswer {
  const { may } = hookPoint(event);
  const { context, output, block, stop } = words;
  const args = call === undefined ? undefined : argumentsOf(words, call);
  const isOfAnother = args !== undefined && !may.includes("arguments");
  const all: { readonly [Name in keyof HookAnswer]: HookAnswer[Name] | undefined } = {
    verdict: stricter(answer.verdict, verdictOf(words, entry, isOfAnother)),
    arguments: args,
    context: context === undefined ? undefined : [...(answer.context ?? []), context],
    result: output,
    block: block === undefined ? undefined : joined(answer.block, block),
    stop: answer.stop ?? stop,
  };
  const taken = may.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]);
  return { ...answer, ...Object.fromEntries(taken) };
}

/** A hook that gave no answer is no yes, and neither is a yes to arguments that the call will not have: a user is asked. */
function verdictOf(
  { verdict, result }: HookWords,
  { name, by }: HookEntry,
  isOfAnother: boolean,
): HookVerdict | undefined {
  if (verdict?.verdict === "allow" && isOfAnother)
    return { verdict: "ask", reason: `The hook ${name} would allow the call with other arguments.`, by };
  if (verdict !== undefined) return { ...verdict, reason: `The hook ${name} says: ${verdict.reason}`, by };
  if (result === "timed-out") return { verdict: "ask", reason: `The hook ${name} did not answer in time.`, by };
  if (result === "not-run") return { verdict: "ask", reason: `The hook ${name} could not be asked.`, by };
  return undefined;
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

function stricter(one: HookVerdict | undefined, other: HookVerdict | undefined): HookVerdict | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return strictness[other.verdict] > strictness[one.verdict] ? other : one;
}

function argumentsOf(
  { input }: HookWords,
  { name, arguments: own, shown }: NonNullable<SaidOf["call"]>,
): JsonObject | undefined {
  if (!isJsonObject(input) || canonicalJson(input) === canonicalJson(shown)) return undefined;
  const { overwrite, ...rest } = fromClaudeFields(name, input);
  // Scripts do not know that a file is only overwritten where the call says so.
  const kept = own["overwrite"] ?? (Object.hasOwn(input, "overwrite") ? overwrite : undefined);
  return kept === undefined ? rest : { ...rest, overwrite: kept };
}

function joined(one: string | undefined, other: string): string {
  return one === undefined ? other : `${one}\n${other}`;
}
