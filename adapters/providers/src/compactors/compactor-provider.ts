import { once } from "node:events";
import type { Compactors, ModelProvider } from "@capstan/ports";
import {
  compactorWire,
  messageOf,
  type ModelSettings,
  type ModelStreamPart,
  noUsage,
  ProviderError,
} from "@capstan/protocol";

/** Compactors from outside, as models that are asked for a summary: attempts, time-outs, cancelling and rules at the end are those of a model. */
export function createCompactorProvider(compactors: Compactors): ModelProvider {
  return {
    wire: compactorWire,
    async *stream({ messages, maxOutputTokens }, model, signal) {
      signal.throwIfAborted();
      const compactor = Object.hasOwn(compactors, model.id) ? compactors[model.id] : undefined;
      if (compactor === undefined) throw failed(`there is no compactor ${model.id}`, { retryable: false });
      // The last message asks a model for a summary; a compactor knows what is wanted.
      const source = { agentId: agentOf(model), messages: messages.slice(0, -1), maxTokens: maxOutputTokens };
      yield [finish(await untilAborted(attempt(compactor.summarize(source, signal)), signal), model)];
    },
    close() {
      // Whoever registered a compactor ends it.
    },
  };
}

function agentOf({ options: { agentId } }: ModelSettings): string {
  return typeof agentId === "string" ? agentId : "main";
}

async function attempt(summary: Promise<string>): Promise<string> {
  try {
    return await summary;
  } catch (error) {
    throw error instanceof ProviderError ? error : failed(messageOf(error), { retryable: true, cause: error });
  }
}

/** A compactor that does not look at its signal is left to itself. */
async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const listening = new AbortController();
  const aborted = once(signal, "abort", { signal: listening.signal }).then(() => signal.throwIfAborted());
  try {
    await Promise.race([value, aborted]);
    return await value;
  } finally {
    listening.abort();
  }
}

function finish(text: string, { provider, id, wire }: ModelSettings): ModelStreamPart {
  const origin = { provider, model: id, wire };
  return {
    type: "finish",
    message: { role: "assistant", origin, content: [{ type: "text", text }] },
    reason: "stop",
    usage: noUsage,
  };
}

function failed(
  message: string,
  { retryable, cause }: { readonly retryable: boolean; readonly cause?: unknown },
): ProviderError {
  const failure = { code: "provider.protocol", provider: compactorWire, message, retryable } as const;
  return new ProviderError(failure, cause === undefined ? {} : { cause });
}
