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
  if (format === "text") return await runText(request, streams);
  const view = format === "json" ? createJsonView(streams) : createStreamJsonView(streams, version);
  return await resultOf(request, view);
}

/** On a terminal that can take lines back, also with what runs meanwhile. */
async function runText(request: TurnRequest, streams: Streams): Promise<RunResult> {
  if (streams.canErase !== true) return await resultOf(request, await textView(request, streams));
  // Loaded by nobody but those who look on.
  const { withStatus } = await import("./status/with-status.ts");
  const shown = withStatus(request, streams);
  try {
    return await resultOf(shown.request, shown.viewWith(await textView(request, shown.streams)));
  } finally {
    shown.close();
  }
}

async function resultOf(request: TurnRequest, view: TurnView): Promise<RunResult> {
  return (await runTurn(request, view)).result;
}

async function textView({ onAsk, givenFlags = new Set() }: TurnRequest, streams: Streams): Promise<TurnView> {
  return createTextView(streams, {
    asksHere: onAsk?.type === "inline",
    given: givenFlags,
    live: await liveAnswer(streams.result, streams.colors),
  });
}
