/** Several engines in one process: what is whose, and what is left when they are gone. */
import { setImmediate } from "node:timers/promises";
import { isSlowTier } from "@capstan/testkit";
import { expect, test } from "vitest";
import type { EnginePlugin } from "../src/index.ts";
import { bell, newPlace, rehearse, ringing } from "./library-place.ts";

/** Ten, as they are promised; two show the same in the fast tier. */
const count = isSlowTier ? 10 : 2;

test("ten engines with ten plugins each live in one process, keep apart, and leave nothing behind", async () => {
  const before = openResources();
  const model = await rehearse(Array.from({ length: count }, () => ringing).flat());
  const said: string[][] = [];
  const engines = Array.from({ length: count }, (_, number) => {
    const words: string[] = [];
    said.push(words);
    const { tool } = bell();
    const place = newPlace();
    const plugins = Array.from({ length: 10 }, (_unused, each): EnginePlugin => {
      const name = `plugin-${each}`;
      return {
        name,
        version: "1",
        dependencies: each === 0 ? [] : [`plugin-${each - 1}`],
        initialize: (context) => {
          context.registerService(name, number);
          context.registerTool({ ...tool, name: each === 0 ? tool.name : `bell_${each}` });
          context.events.on("over", () => words.push(name));
        },
        destroy: () => void words.push(`${number}`),
      };
    });
    return place.engine(model, { plugins, onApproval: ({ digest }) => ({ type: "approve", digest }) });
  });
  const results = await Promise.all(engines.map(async (engine) => await engine.run("Ring twice.").result()));
  expect(new Set(results.map(({ type }) => type))).toEqual(new Set(["ended"]));
  for (const [number, engine] of engines.entries()) {
    expect(await engine.getService("plugin-9")).toBe(number);
    expect((await engine.getPluginStatus()).enginePlugins).toHaveLength(10);
  }
  await Promise.all(engines.map((engine) => engine.shutdown()));
  expect(said).toEqual(engines.map((_, number) => Array.from({ length: 10 }, () => `${number}`)));
  await model.close();
  // The system reports the end of a connection in one of the next rounds of the event loop.
  for (let round = 0; round < 200 && openResources().length > before.length; round += 1) await setImmediate();
  expect(openResources()).toEqual(before);
});

/** What keeps the process alive, timers and files of the test runner apart. */
function openResources(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => !/^(Timeout|Immediate|FSReq)/.test(name))
    .toSorted();
}
