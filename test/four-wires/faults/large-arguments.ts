import type { JournalRecord } from "@capstan/protocol";
import { parseScenario, startRehearsal } from "@capstan/rehearsal";
import { onTestFinished } from "vitest";
import type { Place } from "../../end-to-end/stage/place.ts";
import { allAt, talk } from "../talk.ts";
import type { FaultCase } from "./fault-fixture.ts";

/** What became of a turn whose model writes megabytes into one argument. */
export interface LargeTurn {
  readonly ended: JournalRecord | undefined;
  readonly problems: readonly unknown[];
  /** Answers that were never asked for. */
  readonly unused: number;
  readonly written: boolean;
}

/** Bytes of the argument, and of how much of it comes in one event. */
export interface LargeArgument {
  readonly bytes: number;
  readonly pieceBytes: number;
}

export async function writeLarge(
  place: Place,
  { vendor }: FaultCase,
  { bytes, pieceBytes }: LargeArgument,
): Promise<LargeTurn> {
  const content = "ten bytes ".repeat(bytes / 10);
  const call = { name: "write_file", arguments: { path: "large.txt", content } };
  const refused = { expect: { tool_results: [{ is_error: true, contains: "bytes" }] } };
  const turns = [
    { thinking: "All of it.", tool_calls: [call], piece_bytes: pieceBytes },
    { text: "Then a part of it.", ...refused },
  ];
  const scenario = parseScenario(JSON.stringify({ name: "large", turns }), "large.json");
  const server = await startRehearsal({ scenario });
  onTestFinished(() => server.close());
  const talking = await talk(place, { addresses: allAt(server.url), vendor });
  const records = await talking.say("Write megabytes.");
  return {
    ended: records.at(-1),
    problems: server.exchanges.flatMap(({ problem }) => problem ?? []),
    unused: server.unused(),
    written: place.has("large.txt"),
  };
}
