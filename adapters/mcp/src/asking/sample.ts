import { inertText } from "@capstan/patterns";
import { AppError, type SessionId, type Spent } from "@capstan/protocol";
import type { CreateMessageRequestParams, CreateMessageResult } from "@modelcontextprotocol/client";
import { maxSampledLength, maxSampledTokens } from "../limits.ts";
import type { RunningCall } from "../link/running-calls.ts";
import { askerOf } from "./elicit.ts";

/** One message of what a server wants a model to answer. */
export interface SampledMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** What a server wants to know of the model. */
export interface SampleRequest {
  readonly sessionId: SessionId | null;
  readonly system: string;
  readonly messages: readonly SampledMessage[];
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** The model's answer, and what it cost. */
export interface SampleAnswer {
  readonly text: string;
  readonly model: string;
  readonly isWhole: boolean;
  readonly spent: Spent;
}

export type Sampler = (request: SampleRequest) => Promise<SampleAnswer>;

/**
 * A server asks the model through its user, who reads all that it would be sent, each time. It stays within the turn's limits.
 * @throws Error what the server is answered instead
 */
export async function sample(
  server: string,
  call: RunningCall | undefined,
  params: CreateMessageRequestParams,
  sampler: Sampler,
): Promise<CreateMessageResult> {
  if (call?.ask === undefined) throw new Error("nobody can be asked now");
  const messages = params.messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const system = params.systemPrompt ?? "";
  const whole = [
    ...(system === "" ? [] : [`system: ${system}`]),
    ...messages.map(({ role, text }) => `${role}: ${text}`),
  ];
  const shown = inertText(whole.join("\n"));
  if (shown.length > maxSampledLength)
    throw new Error(`what a model is asked has at most ${maxSampledLength} characters`);
  const maxTokens = Math.min(Math.max(1, params.maxTokens), maxSampledTokens);
  const question = `It wants an answer of your model, of ${maxTokens} tokens at most, at your cost, to this:\n${shown}`;
  call.pause();
  try {
    const options = [{ label: "Allow once" }, { label: "Refuse" }];
    const reply = await call.ask(askerOf(server), [{ question, options, multiple: false }]);
    if (reply.type !== "answered" || reply.answers[0]?.[0] !== "Allow once") throw new Error("the user refused it");
    const answer = await sampler({ sessionId: call.sessionId, system, messages, maxTokens, signal: call.signal });
    call.spend(answer.spent);
    return {
      role: "assistant",
      model: answer.model,
      content: { type: "text", text: answer.text },
      stopReason: answer.isWhole ? "endTurn" : "maxTokens",
    };
  } catch (error) {
    // The vendor's words are none of the server's business.
    if (error instanceof AppError) throw new Error("the model could not be asked", { cause: error });
    throw error;
  } finally {
    call.resume();
  }
}

function textOf(content: CreateMessageRequestParams["messages"][number]["content"]): string {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => {
    if (block.type !== "text") throw new Error(`only text is sampled, no ${block.type}`);
    return block.text;
  });
  return texts.join("\n");
}
