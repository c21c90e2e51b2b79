import { evolve, initialState, modelRequest, type SessionState } from "@capstan/session";
import { type Message, type ModelSettings, type SessionEvent, toTurnId, userText } from "@capstan/protocol";
import { toAnthropicBody, toChatBody, toGoogleBody, toResponsesBody } from "@capstan/providers";
import { checkAnthropicRequest, checkChatRequest, checkGoogleRequest, checkResponsesRequest } from "@capstan/rehearsal";

/** The state of a session that continued with another question. */
export function askedAgain(events: readonly SessionEvent[]): SessionState {
  const state = events.map((event) => event.record).reduce(evolve, initialState);
  const content = userText("continue");
  return evolve(state, { type: "turn-started", turnId: toTurnId("again"), content, origin: { frontend: "test" } });
}

/** What vendors refuse about a session's next request, on every wire. */
export function refusalsOf(state: SessionState): readonly unknown[] {
  const settings = state.config?.model;
  if (settings === undefined) return ["there is no model"];
  const on = (wire: string, id: string): ModelSettings => ({ ...settings, wire, id, provider: wire });
  const claude = on("anthropic", "claude-sonnet-4-5");
  const thinking: ModelSettings = { ...claude, options: { thinking: "enabled", thinking_budget: 1024 } };
  const gpt = on("openai-responses", "gpt-5.2");
  const chat = on("openai-chat", "anything");
  return [
    ...[claude, thinking].map((model) => checkAnthropicRequest(toAnthropicBody(modelRequest(state, model), model))),
    checkResponsesRequest(toResponsesBody(modelRequest(state, gpt), gpt)),
    checkChatRequest(toChatBody(modelRequest(state, chat), chat)),
    ...["gemini-2.5-pro", "gemini-3-pro-preview"].map((id) =>
      checkGoogleRequest(toGoogleBody(modelRequest(state, on("google", id)), on("google", id)), { model: id }),
    ),
  ].filter((problem) => problem !== undefined);
}

/** A conversation in short: who said what, and which call got which answer. */
export function inShort(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) =>
    message.content.map((block) => {
      if (block.type === "text") return `${message.role}: ${block.text}`;
      if (block.type === "tool-call") return `call ${block.callId} ${block.name}`;
      if (block.type === "tool-result") return `${block.isError ? "error" : "result"} ${block.callId} ${block.content}`;
      return `${message.role}: (${block.type})`;
    }),
  );
}
