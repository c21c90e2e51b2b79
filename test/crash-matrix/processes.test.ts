/** The real binary ends in each phase that it can be in; the phase is recognised by the line it had just printed. */
import { join } from "node:path";
import { toSessionId } from "@capstan/protocol";
import { openSqliteStore } from "@capstan/storage";
import { sampled } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { endProcess, gone } from "../end-to-end/stage/process-state.ts";
import { parseResult } from "../end-to-end/stage/read-output.ts";
import { commandExit, fatalEnvironment, type Ending } from "./stage/fatal-preload.ts";

const place = usePlace();
const streamJson = ["--output-format", "stream-json", "--yolo", "--session-id", "matrix"];
const again = ["--output-format", "json", "--yolo", "--on-unknown", "tell-model", "--resume", "matrix"];

const command = (text: string) => ({ name: "run_command", arguments: { command: text } });
const quick = command("echo quick >> effects.log");
const slow = command("echo slow >> effects.log; echo $$ > pid; echo started; exec sleep 600");
const long = command(`echo quick >> effects.log # ${"and so on ".repeat(100)}`);
const read = { name: "read_file", arguments: { path: "note.txt" } };

interface Case {
  readonly phase: string;
  /** What stands in the line after which it ends. */
  readonly mark: string;
  readonly calls: readonly object[];
  /** The answer was under way, and is asked for again. */
  readonly isReceivedAgain: boolean;
  /** A record that the journal has then, by which the phase is known; later ones supersede the pieces among them. */
  readonly last: string;
  /** What has been done, once each, when everything is over. */
  readonly done: readonly string[];
  readonly ending: Ending;
}

const unreceived = { calls: [read, quick], isReceivedAgain: false, done: ["quick"], ending: "SIGKILL" } as const;
const midway = { ...unreceived, isReceivedAgain: true } as const;
const running = {
  ...unreceived,
  calls: [slow],
  mark: '"tool-output-delta"',
  last: "tool-output-delta",
  done: ["slow"],
};
const p2: Case = { ...midway, phase: "P2", mark: '"text-delta"', last: "text-delta" };
const p7: Case = { ...running, phase: "P7" };
const cases: readonly Case[] = [
  { ...unreceived, phase: "P1", mark: '"turn-started"', last: "turn-started" },
  p2,
  { ...midway, phase: "P3", mark: '"tool-arguments-delta"', last: "tool-arguments-delta", calls: [long] },
  { ...unreceived, phase: "P4", mark: '"step-completed"', last: "step-completed" },
  { ...unreceived, phase: "P6", mark: '"tool-decided"', last: "tool-decided" },
  p7,
  { ...unreceived, phase: "P8", mark: commandExit, last: "tool-started", calls: [quick] },
  { ...running, phase: "P9", calls: [quick, slow], done: ["quick", "slow"] },
  ...(["an unhandled rejection", "no more memory"] as const).flatMap((ending) => [
    { ...p2, ending },
    { ...p7, ending },
  ]),
];

test.for(sampled(cases, 2))(
  "the process ends in $phase, by $ending: the session continues, and nothing happens twice",
  async ({ mark, calls, isReceivedAgain, last, done, ending }) => {
    place.write("note.txt", "hello\n");
    // Slow enough that the process is gone before the answer is whole.
    const answer = { text: "I begin.", tool_calls: calls, piece_bytes: 60, delay_ms: 25 };
    const answers = [answer, ...(isReceivedAgain ? [answer] : []), { text: "Done." }, { text: "Spare." }];
    const stage = await place.rehearse("anthropic", answers);
    if (calls.includes(slow)) place.onClose(() => endProcess(place, "pid"));
    const first = await stage.run([...streamJson, "go"], { env: fatalEnvironment(mark, ending) });
    expect(first.lines.at(-1)).not.toContain('"type":"result"');
    if (calls.includes(slow)) await gone(place, "pid");
    const types = await typesInJournal();
    expect(types).toContain(last);
    expect(types).not.toContain("turn-ended");
    const next = await stage.run([...again, "continue"]);
    expect(parseResult(next)).toMatchObject({ outcome: "done", exitCode: 0 });
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    expect(place.read("effects.log").trim().split("\n")).toEqual(done);
  },
);

/** Read as it lies there, before any other process has opened it to continue. */
async function typesInJournal(): Promise<readonly string[]> {
  const store = await openSqliteStore({ path: join(place.data, "capstan.db") });
  const events = await store.read(toSessionId("matrix"), 0);
  await store.close();
  return events.map(({ record }) => record.type);
}
