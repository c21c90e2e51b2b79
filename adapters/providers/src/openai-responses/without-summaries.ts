import type { ModelProvider } from "@capstan/ports";
import { type ModelRequest, type ModelSettings, type ModelStreamPart, ProviderError } from "@capstan/protocol";
import { textOption } from "../shared/request/model-option.ts";

/**
 * The vendor refuses summaries of reasoning to organizations it has not verified. They are asked for unless the user says
 * otherwise, so that such a refusal must not end a turn: the request is sent again without, and so are all later ones.
 */
export function withoutRefusedSummaries(inner: ModelProvider): ModelProvider {
  let refused = false;
  async function* talk(
    request: ModelRequest,
    model: ModelSettings,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ModelStreamPart[], void, undefined> {
    const chosen = textOption(model, "reasoning_summary") !== undefined;
    if (refused && !chosen) return yield* inner.stream(request, unsummarized(model), signal);
    try {
      yield* inner.stream(request, model, signal);
    } catch (error) {
      if (chosen || !isSummaryRefusal(error)) throw error;
      refused = true;
      const text = `${model.provider} gives this account no summaries of what the model thinks; continuing without them.`;
      yield [{ type: "notice", level: "info", code: "provider.no-summaries", text }];
      yield* inner.stream(request, unsummarized(model), signal);
    }
  }
  return {
    ...inner,
    stream: (request, model, signal) => ({ [Symbol.asyncIterator]: () => talk(request, model, signal) }),
  };
}

function unsummarized(model: ModelSettings): ModelSettings {
  return { ...model, options: { ...model.options, reasoning_summary: "none" } };
}

/** A refused request had no answer: nothing was shown of it. */
function isSummaryRefusal(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  const { status, message } = error.failure;
  return (status === 400 || status === 403) && /reasoning[ ._]summar/i.test(message);
}
