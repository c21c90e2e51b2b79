/** Calls of one answer that stand on each other: they come out as if each had been made alone. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JournalRecord } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import type { Interaction } from "../src/index.ts";
import { newPlace, rehearse } from "./library-place.ts";
import { type BatchCall, randomBatch, unwanted } from "./random-batch.ts";

interface Outcome {
  /** How each call ended, in the order of the calls. */
  readonly results: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The calls that were asked about, list by list: what waits together is one list. */
  readonly asked: readonly (readonly string[])[];
}

/** What comes of answers that make these calls, each answer a batch. */
async function outcomeOf(batches: readonly (readonly BatchCall[])[], strategy: string): Promise<Outcome> {
  const place = newPlace();
  const model = await rehearse([...batches.map((calls) => ({ tool_calls: calls })), { text: "done" }]);
  const engine = place.engine(model, {
    set: { "sandbox.mode": "off", "tools.strategy": strategy },
    mode: "default",
    onApproval: ({ request, digest }) =>
      request.type === "approval" && JSON.stringify(request.action.arguments).includes(unwanted)
        ? { type: "deny" }
        : { type: "approve", digest },
  });
  const session = await engine.open();
  await session.send("Go.").result();
  const records = (await session.client.history(null, 1000)).events.map(({ record }) => record);
  const order = records.flatMap((record) =>
    record.type === "step-completed"
      ? record.message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []))
      : [],
  );
  const ends = new Map(
    records.flatMap((record) => (record.type === "tool-finished" ? [[record.callId, record.outcome] as const] : [])),
  );
  return {
    results: order.map((callId) => {
      const outcome = ends.get(callId);
      return outcome === undefined ? "no end" : `${outcome.type}: ${outcome.content}`;
    }),
    files: filesIn(place.workspace),
    asked: listsOf(records),
  };
}

function listsOf(records: readonly JournalRecord[]): readonly (readonly string[])[] {
  const lists: string[][] = [];
  const open = new Set<Interaction["id"]>();
  for (const record of records) {
    if (record.type === "interaction-resolved") open.delete(record.interactionId);
    if (record.type !== "interaction-opened" || record.interaction.request.type !== "approval") continue;
    if (open.size === 0) lists.push([]);
    open.add(record.interaction.id);
    lists.at(-1)?.push(record.interaction.request.action.summary);
  }
  return lists;
}

function filesIn(folder: string, below = ""): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {};
  return Object.assign(
    {},
    ...readdirSync(folder)
      .toSorted()
      .map((name) => {
        const path = join(folder, name);
        return statSync(path).isDirectory()
          ? { [`${below}${name}/`]: "", ...filesIn(path, `${below}${name}/`) }
          : { [`${below}${name}`]: readFileSync(path, "utf8") };
      }),
  );
}

test.each(["sequential", "parallel-reads"])(
  "random batches of calls that stand on each other equal the same calls one by one: %s",
  async (strategy) => {
    for (let seed = 1; seed <= runs(100); seed += 1) {
      const batch = randomBatch(strategy === "sequential" ? seed : seed + 1000);
      const together = await outcomeOf([batch], strategy);
      const alone = await outcomeOf(
        batch.map((call) => [call]),
        strategy,
      );
      expect({ seed, batch, files: together.files, results: together.results }).toEqual({
        seed,
        batch,
        files: alone.files,
        results: alone.results,
      });
    }
  },
  600_000,
);
