import { messagesTokens, preambleTokens, ratioOf } from "@capstan/context";
import { type ModelSettings, modelName } from "@capstan/protocol";
import { openResults } from "./conversation.ts";
import { mergedMessages, offeredTools, type Shown, systemText } from "@capstan/wording";
import { configNow } from "../model/config-now.ts";
import type { SessionState } from "../model/state.ts";

/**
 * How long a request is that shows the model this much: what the vendor counted of the last one, where it was to the same model and stands
 * unchanged, and a guess of the rest, corrected by how far guesses were wrong before.
 * @param shown  what is shown in place of originals; the session's own unless another is weighed
 * @returns tokens
 */
export function requestTokens(state: SessionState, model: ModelSettings, shown: Shown = state): number {
  const { measured, conversation } = state;
  const name = modelName(model);
  const isCounted = shown.summary === state.summary && shown.shortened === state.shortened;
  if (isCounted && measured?.model === name && measured.messages <= conversation.length)
    return (
      measured.tokens +
      calibrationOf(state, model) * messagesTokens([...conversation.slice(measured.messages), ...openResults(state)])
    );
  return calibrationOf(state, model) * guessedTokens(state, shown);
}

/** The same, as it is guessed before any correction. */
export function guessedTokens(state: SessionState, shown: Shown = state): number {
  return preambleSize(state) + messagesTokens(mergedMessages(shown, state.conversation, openResults(state)));
}

/** A guess of what stands before the conversation. Tokens. */
export function preambleSize(state: SessionState): number {
  const config = configNow(state);
  return config === null ? 0 : preambleTokens(systemText(config), offeredTools(config));
}

/** What a vendor counts, as a part of what is guessed; that of another model where this one was not asked yet. */
export function calibrationOf({ calibration }: SessionState, model: ModelSettings): number {
  return (calibration[modelName(model)] ?? Object.values(calibration)[0])?.ratio ?? 1;
}

/**
 * What vendors count of a request tells how far the guess was wrong. It is looked at again only when the conversation has grown by a half, so
 * that a long journal is folded in linear time.
 * @param counted  tokens of the request alone
 */
export function calibrated(state: SessionState, name: string, counted: number): SessionState["calibration"] {
  const messages = state.conversation.length;
  const known = state.calibration[name];
  if (counted <= 0 || (known !== undefined && messages >= known.messages && messages < known.messages * 1.5))
    return state.calibration;
  const ratio = ratioOf(counted, guessedTokens(state));
  return { ...state.calibration, [name]: { ratio, messages } };
}
