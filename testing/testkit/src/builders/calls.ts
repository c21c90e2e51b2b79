import { createHash } from "node:crypto";
import type { Digest } from "@capstan/ports";
import {
  type Action,
  type ActionDraft,
  type AssistantBlock,
  type AssistantMessage,
  canonicalJson,
  type EffectClass,
  type JsonObject,
  type ModelFinish,
  type ModelOrigin,
  type SessionCall,
  type ToolCallBlock,
  type ToolCallId,
  toToolCallId,
  type Usage,
} from "@capstan/protocol";

/** The model of `sessionConfig()`, as messages name it. */
export const testOrigin: ModelOrigin = { provider: "test", model: "model-1", wire: "anthropic" };

export const sha256: Digest = (text) => createHash("sha256").update(text, "utf8").digest("hex");

export function callId(id: string): ToolCallId {
  return toToolCallId(id);
}

/** A call with whole arguments. */
export function call(id: string, name: string, args: JsonObject = {}): ToolCallBlock {
  return { type: "tool-call", callId: toToolCallId(id), name, arguments: { type: "json", value: args } };
}

export function message(...content: readonly (AssistantBlock | string)[]): AssistantMessage {
  return {
    role: "assistant",
    origin: testOrigin,
    content: content.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
  };
}

/** A whole answer of text alone. */
export function textAnswer(text: string, more: Partial<ModelFinish> = {}): ModelFinish {
  return { type: "finish", message: message(text), reason: "stop", usage: testUsage, ...more };
}

/** A whole answer that ends in calls. */
export function callAnswer(calls: readonly ToolCallBlock[], more: Partial<ModelFinish> = {}): ModelFinish {
  return { type: "finish", message: message(...calls), reason: "tool-calls", usage: testUsage, ...more };
}

/** What every answer of the tests costs: 1,000 tokens in, 100 out; 0.0045 USD with the tests' model. */
export const testUsage: Usage = {
  inputTokens: 1000,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 100,
  reasoningTokens: 0,
};

/** The effect class of each scripted tool. */
export const toolEffects: Readonly<Record<string, EffectClass>> = { look: "read", change: "write", act: "execute" };

/** What calls of these tools want of the session; no process runs them. `present` shows a plan named after its path. */
const sessionCalls: Readonly<Record<string, (path: string) => SessionCall>> = {
  ask: (path) => ({ type: "ask-user", questions: [{ question: `What about ${path}?`, options: [], multiple: false }] }),
  note: (path) => ({ type: "update-plan", tasks: [{ step: `do ${path}`, status: "in-progress" }] }),
  seek: (path) => ({ type: "find-tools", query: path, found: ["hidden"], more: 0 }),
  present: (path) => ({ type: "exit-plan-mode", plan: `1. write ${path}`, source: "argument" }),
};

/** Tools that concern the session itself. */
export const sessionTools: readonly string[] = Object.keys(sessionCalls);

/** The action of a scripted tool's call, with its digest. */
export function action(tool: string, args: JsonObject = {}, more: Partial<ActionDraft> = {}): Action {
  const draft = { ...actionDraft(tool, args), ...more };
  return { ...draft, digest: sha256(canonicalJson(draft)) };
}

/** What a scripted tool prepares. A tool of unknown name only reads. */
export function actionDraft(tool: string, args: JsonObject): ActionDraft {
  const name = typeof args["path"] === "string" ? args["path"] : "file.txt";
  const session = Object.hasOwn(sessionCalls, tool) ? sessionCalls[tool]?.(name) : undefined;
  const effect = session === undefined ? (toolEffects[tool] ?? "read") : "session";
  const access = effect === "read" ? "read" : "write";
  return {
    tool,
    arguments: args,
    effect,
    risk: "low",
    paths: effect === "execute" || effect === "session" ? [] : [{ real: `/work/${name}`, shown: name, access }],
    ...(session === undefined ? {} : { session }),
    summary: `${tool} ${name}`,
  };
}
