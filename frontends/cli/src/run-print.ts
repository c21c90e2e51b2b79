import { exitCodes } from "@capstan/protocol";
import type { TurnRequest, TurnView } from "./turn/turn-request.ts";
import { createJsonView, createStreamJsonView } from "./json-view.ts";
import type { Streams } from "./output.ts";
import { runTurn } from "./turn/run-turn.ts";
import { createTextView } from "./text-view.ts";
import { liveAnswer } from "./screen/live-answer.ts";

export type OutputFormat = "text" | "json" | "stream-json";
export const outputFormats: readonly OutputFormat[] = ["text", "json", "stream-json"];

/** One turn, shown in the wanted format. @returns the exit code, which says how the turn ended */
export async function runPrint(
  request: TurnRequest,
  format: OutputFormat,
  streams: Streams,
  version: string,
): Promise<number> {
  const report = await runTurn(request, await viewFor(format, request, streams, version));
  return exitCodes[report.result.outcome];
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
