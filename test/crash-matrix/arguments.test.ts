/** A vendor that fails in the middle of a call's arguments: the call is not run, and the answer is asked for again. */
import { sampled } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { linesOf, parseResult } from "../end-to-end/stage/read-output.ts";

const place = usePlace();

/** In the middle of the arguments below: the events before them have fewer bytes, and they have more. */
const afterBytes = 4_000;

test.for(sampled(["cut", "end", "stall", "error-event"] as const, 1))(
  "%s in mid arguments: what was received of the call is dropped, and the call that comes whole runs once",
  async (type) => {
    const long = `echo ran >> effects.log # ${"and so on ".repeat(200)}`;
    const call = { name: "run_command", arguments: { command: long } };
    const fault = { type, after_bytes: afterBytes, times: 1 };
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [call], piece_bytes: 40, delay_ms: 1, fault },
      { text: "Done." },
    ]);
    const sets = ["--set", "network.idle_timeout_seconds=0.3"];
    const run = await stage.run(["--output-format", "stream-json", "--yolo", ...sets, "go"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", exitCode: 0, toolCalls: 1 });
    const types = run.lines.flatMap(
      (line) => /"type":"(tool-arguments-delta|step-retrying|tool-decided)"/.exec(line)?.[1] ?? [],
    );
    expect(types[0]).toBe("tool-arguments-delta");
    expect(types.indexOf("step-retrying")).toBeGreaterThan(0);
    expect(types.indexOf("tool-decided")).toBeGreaterThan(types.indexOf("step-retrying"));
    expect(linesOf(run, "step-retrying")).toHaveLength(1);
    expect(place.read("effects.log")).toBe("ran\n");
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  },
);
