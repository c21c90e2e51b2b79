import { toolProfiles } from "@capstan/protocol";
import { sampled } from "@capstan/testkit";
import { expect } from "vitest";
import { overWires } from "../end-to-end/stage/over-wires.ts";
import { type Stage, usePlace } from "../end-to-end/stage/place.ts";
import { headOf } from "../end-to-end/stage/read-request.ts";
import { allowed, turns } from "./spoken-turns.ts";

const place = usePlace();

/** Of a first request, whatever its model's family. */
const firstRequestLimitBytes = 12 * 1024;

function fails(stage: Stage): readonly unknown[] {
  return stage.exchanges.filter(({ status }) => status !== 200);
}

overWires("over %s", (wire, test, slowTest) => {
  test.for(sampled(toolProfiles, 2))(
    "a model that speaks as %s reads, changes and runs in its own words",
    async (profile) => {
      place.write("note.txt", "one\ntwo\n");
      const stage = await place.rehearse(wire, turns(profile));
      const run = await stage.run(["--set", `tools.profile=${profile}`, ...allowed, "go"]);
      expect([fails(stage), run.code]).toEqual([[], 0]);
      expect(place.read("note.txt")).toBe("one\n2\n");
      expect(stage.unused()).toBe(0);
      const bytes = Buffer.byteLength(JSON.stringify(stage.exchanges[0]?.body));
      expect(bytes).toBeLessThanOrEqual(firstRequestLimitBytes);
      // Caches hold: every request shows the tools in the same way.
      expect(new Set(stage.exchanges.map((exchange) => JSON.stringify(headOf(exchange)))).size).toBe(1);
    },
  );

  slowTest("one session goes through all profiles in turn, and each continues with what the others did", async () => {
    place.write("note.txt", "one\ntwo\n");
    const order = [...toolProfiles, "openai", "own"] as const;
    const stage = await place.rehearse(wire, order.flatMap(turns));
    for (const [index, profile] of order.entries()) {
      place.write("note.txt", "one\ntwo\n");
      const resumed = index === 0 ? [] : ["--continue"];
      const run = await stage.run([...resumed, "--set", `tools.profile=${profile}`, ...allowed, `turn ${index}`]);
      expect([fails(stage), run.code, run.stdout.trim()]).toEqual([[], 0, `Done as ${profile}.`]);
    }
    expect(stage.unused()).toBe(0);
  });
});
