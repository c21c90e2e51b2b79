import type { Sampler } from "@capstan/mcp";
import type { ModelProvider } from "@capstan/ports";
import { AppError, costOf, type Message, type ModelSettings, type SessionId } from "@capstan/protocol";

/** Who is asked on behalf of a server. */
export interface SamplerParts {
  /** The session's model now; `undefined`: the session is not open. */
  readonly modelOf: (session: SessionId) => ModelSettings | undefined;
  readonly provider: (model: ModelSettings) => Promise<ModelProvider>;
  /** Takes secrets out of what a server says and is answered. */
  readonly redact: (text: string) => string;
}

/** Asks the model of the session that the call belongs to, once, without tools and without anything of the session. */
export async function askModel(
  { modelOf, provider, redact }: SamplerParts,
  { sessionId, system, messages, maxTokens, signal }: Parameters<Sampler>[0],
): ReturnType<Sampler> {
  const model = sessionId === null ? undefined : modelOf(sessionId);
  if (model === undefined) throw new AppError("internal.bug", "a server asked the model outside of any session");
  const stream = (await provider(model)).stream(
    {
      system: redact(system),
      messages: alternating(messages, model, redact),
      tools: [],
      maxOutputTokens: Math.min(maxTokens, model.maxOutputTokens),
    },
    model,
    signal,
  );
  for await (const batch of stream) {
    for (const part of batch) {
      if (part.type !== "finish") continue;
      const { message, usage, reason } = part;
      const text = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      const spent = { modelCalls: 1, usage, costUsd: costOf(usage, model.prices) };
      return { text: redact(text), model: `${model.provider}/${model.id}`, isWhole: reason !== "length", spent };
    }
  }
  throw new AppError("internal.bug", "a model's answer had no end");
}

type Sampled = Parameters<Sampler>[0]["messages"];

/** As vendors take it: the user begins, and nobody speaks twice in a row. */
function alternating(
  messages: Sampled,
  { provider, id, wire }: ModelSettings,
  redact: (text: string) => string,
): readonly Message[] {
  const joined: { role: "user" | "assistant"; text: string }[] = [];
  for (const { role, text } of messages) {
    const last = joined.at(-1);
    if (last?.role === role) last.text += `\n\n${redact(text)}`;
    else joined.push({ role, text: redact(text) });
  }
  if (joined[0]?.role !== "user") joined.unshift({ role: "user", text: "(begin)" });
  return joined.map(({ role, text }): Message => {
    const content = [{ type: "text", text: text.trim() === "" ? "(nothing)" : text }] as const;
    return role === "user" ? { role, content } : { role, content, origin: { provider, model: id, wire } };
  });
}
