import type { ModelOrigin } from "@capstan/protocol";
import type { ProviderOptions, WireName } from "@capstan/ports";
import { AnthropicReader } from "../adapters/providers/src/anthropic/anthropic-reader.ts";
import { GoogleReader } from "../adapters/providers/src/google/google-reader.ts";
import { ChatReader } from "../adapters/providers/src/openai-chat/chat-reader.ts";
import { ResponsesReader } from "../adapters/providers/src/openai-responses/responses-reader.ts";
import { createFailures, type Failures } from "../adapters/providers/src/shared/failures.ts";
import { EventFeed } from "../adapters/providers/src/shared/stream/event-feed.ts";
import { EventSource } from "../adapters/providers/src/shared/stream/event-source.ts";
import type { AskedCall } from "../adapters/providers/src/shared/wire-provider.ts";
import type { WireReader } from "../adapters/providers/src/shared/stream/wire-reader.ts";

const readers: Readonly<
  Record<WireName, new (origin: ModelOrigin, failures: Failures, asked: AskedCall) => WireReader>
> = {
  anthropic: AnthropicReader,
  "openai-responses": ResponsesReader,
  "openai-chat": ChatReader,
  google: GoogleReader,
};

/** Reads an answer that is in memory already, in the pieces in which it arrived: our parsing without our network. */
export function memoryReader(wire: WireName, options: ProviderOptions, pieces: readonly Buffer[]): () => Promise<void> {
  return async () => {
    const failures = createFailures(options);
    const reader = new readers[wire]({ provider: "bench", model: "rehearsal", wire }, failures, asked(wire));
    const feed = new EventFeed(reader, failures);
    const source = new EventSource(
      (data, name) => feed.take(data, name),
      (value) => feed.takeError(value),
    );
    for (const piece of pieces) {
      source.feed(piece);
      feed.handOn();
      reader.parts.take();
    }
    feed.end();
    source.end();
    feed.catchUp();
    if (!reader.finished) reader.end();
  };
}

/** As far as a reader looks at it, the question does not matter. */
function asked(wire: WireName): AskedCall {
  const sizes = { contextWindowTokens: 100_000, maxOutputTokens: 10_000 };
  return {
    request: { system: "", messages: [], tools: [], maxOutputTokens: sizes.maxOutputTokens },
    model: { provider: "bench", id: "rehearsal", wire, ...sizes, options: {} },
  };
}
