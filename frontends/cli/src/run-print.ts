import type { TurnRequest, TurnView } from "./turn/turn-request.ts";
import { createJsonView, createStreamJsonView } from "./json-view.ts";
import type { Streams } from "./output.ts";
import type { RunResult } from "./turn/run-result.ts";
import { runTurn } from "./turn/run-turn.ts";
import { createTextView } from "./text-view.ts";
import { liveAnswer } from "./screen/live-answer.ts";

export type OutputFormat = "text" | "json" | "stream-json";
export const outputFormats: readonly OutputFormat[] = ["text", "json", "stream-json"];

/** One turn, shown in the wanted format. */
export async function runPrint(
  request: TurnRequest,
  format: OutputFormat,
  streams: Streams,
  version: string,
): Promise<RunResult> {
  const { result } = await runTurn(request, await viewFor(format, request, streams, version));
  return result;
}

async function viewFor(
  format: OutputFormat,
  { onAsk, givenFlags = new Set() }: TurnRequest,
  streams: Streams,
  version: string,
): Promise<TurnView> {
  switch (format) {
    case "text":
      return createTextView(streams, {
        asksHere: onAsk?.type === "inline",
        given: givenFlags,
        live: await liveAnswer(streams.result, streams.colors),
      });
    case "json":
      return createJsonView(streams);
    case "stream-json":
      return createStreamJsonView(streams, version);
  }
}
