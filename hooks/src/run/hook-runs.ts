import { inertText } from "@capstan/patterns";
import type { HookReport, HookRequest, HookRunner } from "@capstan/ports";
import { type HookAnswer, type HookEntry, type HookOutcome, isJsonObject, type JsonObject } from "@capstan/protocol";
import type { FoundHook } from "../found-hook.ts";
import { maxMessageCharacters } from "../limits.ts";
import { type SaidOf, withWords } from "./answer-of.ts";
import { askAddress } from "./ask-address.ts";
import { inputsOf } from "./hook-input.ts";
import type { HookWords } from "./hook-words.ts";
import { askFunction } from "./run-function.ts";
import { type ProgramSurroundings, runProgramHook } from "./run-program.ts";

/** Runs hooks one after the other: each sees what those before it changed, and none is asked after a no. */
export class HookRuns implements HookRunner {
  readonly #hooks: ReadonlyMap<string, FoundHook>;
  readonly #around: ProgramSurroundings;

  constructor(hooks: readonly FoundHook[], around: ProgramSurroundings) {
    this.#hooks = new Map(hooks.map((hook) => [hook.entry.id, hook]));
    this.#around = around;
  }

  async run(request: HookRequest, signal: AbortSignal): Promise<HookReport> {
    const outcomes: HookOutcome[] = [];
    let answer: HookAnswer = {};
    for (const entry of request.entries) {
      if (isRefused(answer)) {
        outcomes.push(outcomeOf(entry, { result: "skipped" }, 0));
        continue;
      }
      const startedAt = performance.now();
      const asked = withArguments(request, answer.arguments);
      const words = await this.#ask(entry, asked, signal);
      for (const said of words) answer = withWords(answer, request.event, said);
      outcomes.push(outcomeOf(entry, worst(words.map((each) => each.words)), performance.now() - startedAt));
    }
    return { outcomes, answer };
  }

  async #ask(entry: HookEntry, request: HookRequest, signal: AbortSignal): Promise<readonly SaidOf[]> {
    const hook = this.#hooks.get(entry.id);
    if (hook === undefined || hook.inactive !== undefined) {
      const message = hook?.inactive ?? "it is not what it was when the session was opened";
      return [{ entry, words: { result: "not-run", message } }];
    }
    const asked: SaidOf[] = [];
    for (const input of inputsOf(request)) {
      const words = await this.#askOnce(hook, request, input, signal);
      const call = callOf(request, input);
      asked.push({ entry, words, ...(call === undefined ? {} : { call }) });
      if (words.result === "blocked") break;
    }
    return asked;
  }

  async #askOnce(hook: FoundHook, request: HookRequest, input: JsonObject, signal: AbortSignal): Promise<HookWords> {
    const { work } = hook;
    if (work.type === "function") return await askFunction({ ...hook, work }, request.event, input, signal);
    if (work.type === "http") return await askAddress({ ...hook, work }, request.event, input, signal);
    return await runProgramHook({ ...hook, work }, request, input, { ...this.#around, signal });
  }
}

function callOf({ facts }: HookRequest, input: JsonObject): SaidOf["call"] {
  const { tool, arguments: args } = facts;
  const shown = input["tool_input"];
  if (typeof tool !== "string" || !isJsonObject(args) || !isJsonObject(shown)) return undefined;
  return { name: tool, arguments: args, shown };
}

/** What the hook before it has put in place of the arguments is what the next one sees. */
function withArguments(request: HookRequest, args: JsonObject | undefined): HookRequest {
  return args === undefined ? request : { ...request, facts: { ...request.facts, arguments: args } };
}

function isRefused({ verdict, block, stop }: HookAnswer): boolean {
  return verdict?.verdict === "deny" || block !== undefined || stop !== undefined;
}

const order: readonly HookWords["result"][] = ["blocked", "timed-out", "not-run", "failed"];

/** Of what a hook answered about several files, what people should know. */
function worst(all: readonly HookWords[]): HookWords {
  for (const result of order) {
    const found = all.find((words) => words.result === result);
    if (found !== undefined) return found;
  }
  return all.find(({ message }) => message !== undefined) ?? { result: "passed" };
}

function outcomeOf({ id, name, by }: HookEntry, { result, message }: HookWords, durationMs: number): HookOutcome {
  const said =
    message === undefined ? {} : { message: inertText(message.slice(0, maxMessageCharacters).toWellFormed()) };
  return { id, name, by, result, ...said, durationMs: Math.round(durationMs) };
}
