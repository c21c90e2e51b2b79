import type { Message, ModelRequest, ModelSettings } from "@capstan/protocol";
import { bridge, inProfile, offeredTools, systemText } from "@capstan/wording";
import { configNow } from "../model/config-now.ts";
import type { SessionState } from "../model/state.ts";
import { conversation } from "./conversation.ts";

/**
 * What one model call is asked now: a function of the journal alone, so that its prefix stays the same from step to step.
 * @param model  who is asked; the session's own model unless another takes its place
 */
export function modelRequest(
  state: SessionState,
  model: ModelSettings | undefined = state.config?.model,
): ModelRequest {
  const config = configNow(state);
  const request: ModelRequest = {
    system: config === null ? "" : systemText(config),
    messages: askable(conversation(state), state, model?.provider),
    tools: config === null ? [] : offeredTools(config),
    maxOutputTokens: model?.maxOutputTokens ?? 1,
  };
  return inProfile(request, model);
}

/** A request ends with the user's word; only a paused answer is sent back as it stands, for its vendor to continue with. */
function askable(
  messages: readonly Message[],
  { operation }: SessionState,
  provider: string | undefined,
): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role === "user") return messages;
  if (last !== undefined && operation.type === "streaming" && last.origin.provider === provider) return messages;
  return [...messages, bridge];
}
