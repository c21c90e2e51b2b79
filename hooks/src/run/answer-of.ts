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

/** An answer with that of one hook more: the strictest word on a call, the last arguments, all words for the model. */
export function withWords(
  answer: HookAnswer,
  event: HookEvent,
  { name, by }: HookEntry,
  words: HookWords,
  tool: { readonly name: string; readonly arguments: JsonObject; readonly shown: JsonObject } | undefined,
): HookAnswer {
  const { may } = hookPoint(event);
  const verdict = may.includes("verdict") ? stricter(answer.verdict, verdictOf(words, name, by)) : undefined;
  const args = may.includes("arguments") && tool !== undefined ? argumentsOf(words, tool) : undefined;
  const { context, output, block, stop } = words;
  return {
    ...answer,
    ...(verdict === undefined ? {} : { verdict }),
    ...(args === undefined ? {} : { arguments: args }),
    ...(context !== undefined && may.includes("context") ? { context: [...(answer.context ?? []), context] } : {}),
    ...(output !== undefined && may.includes("result") ? { result: output } : {}),
    ...(block !== undefined && may.includes("block") ? { block: joined(answer.block, block) } : {}),
    ...(stop !== undefined && may.includes("stop") ? { stop: answer.stop ?? stop } : {}),
  };
}

/** A hook that gave no answer is no yes: a user is asked. */
function verdictOf({ verdict, result }: HookWords, name: string, by: HookVerdict["by"]): HookVerdict | undefined {
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
  { name, arguments: own, shown }: { readonly name: string; readonly arguments: JsonObject; readonly shown: JsonObject },
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
