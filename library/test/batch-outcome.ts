import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JournalRecord } from "@capstan/protocol";
import type { Interaction } from "../src/index.ts";
import { newPlace, rehearse } from "./library-place.ts";
import { type BatchCall, unwanted } from "./random-batch.ts";

/** What came of a turn's calls. */
export interface Outcome {
  /** How each call ended, in the order of the calls. */
  readonly results: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The calls that were asked about, list by list: what waits together is one list. */
  readonly asked: readonly (readonly string[])[];
  /** Of the changes that were asked about. */
  readonly diffs: readonly (string | undefined)[];
}

/** What comes of answers that make these calls, each answer a batch, where a user approves all but what is unwanted. */
export async function outcomeOf(batches: readonly (readonly BatchCall[])[], strategy: string): Promise<Outcome> {
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
      // How long a command took is nobody's promise.
      return outcome === undefined ? "no end" : `${outcome.type}: ${outcome.content.replace(/\(\d+\.\d s\)/, "")}`;
    }),
    files: filesIn(place.workspace),
    asked: listsOf(records),
    diffs: records.flatMap((record) =>
      record.type === "interaction-opened" && record.interaction.request.type === "approval"
        ? (record.interaction.request.changes ?? []).map(({ diff }) => diff)
        : [],
    ),
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
