import { isJsonObject } from "@capstan/protocol";
import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { models, usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";

const place = usePlace();
const rounds = 100;
const leastHitRate = 0.9;

/** A summary that a turn waited for, and one that was made beside it. */
const summaries: ReadonlySet<unknown> = new Set(["compaction-completed", "summary-made"]);

/** Of every model call, those for summaries too, as the vendor counted. */
function hitRate(records: readonly Readonly<Record<string, unknown>>[]): number {
  const usages = records.flatMap(({ type, usage }) =>
    (type === "step-completed" || summaries.has(type)) && isJsonObject(usage) ? [usage] : [],
  );
  const sum = (key: string): number => usages.reduce((total, usage) => total + Number(usage[key]), 0);
  return sum("cachedInputTokens") / sum("inputTokens");
}

overWires("over %s", (wire, test) => {
  test("a hundred rounds read nine tenths of what is sent from the vendor's cache, compactions included", async () => {
    const turns = Array.from({ length: rounds }, (_, at) => {
      const path = `file-${at}.txt`;
      place.write(path, `${path} has a line\n`.repeat(150));
      return { text: `Reading ${path}.`, tool_calls: [{ name: "read_file", arguments: { path } }] };
    });
    const stage = await place.rehearse(wire, [
      ...turns,
      { text: "All is read." },
      ...Array.from({ length: 20 }, () => ({ text: "All is read." })),
    ]);
    const window = (key: string, tokens: number): readonly string[] => [
      "--set",
      `models."${models[wire]}".${key}=${tokens}`,
    ];
    const run = await stage.run([
      ...window("context_window", 64_000),
      ...window("max_output_tokens", 4000),
      "--yolo",
      "--output-format",
      "stream-json",
      "Read the files.",
    ]);
    const records = parseLines(run);
    expect(records.filter(({ type }) => summaries.has(type)).length).toBeGreaterThan(0);
    expect(hitRate(records)).toBeGreaterThanOrEqual(leastHitRate);
  });
});
