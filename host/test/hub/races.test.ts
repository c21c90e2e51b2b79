import { type SettingsPatch, type SessionConfig } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryHub } from "./memory-hub.ts";
import { checkRaces } from "./races.ts";

test("of two answers in the same millisecond one counts, and both frontends learn which", async () => {
  await checkRaces(50);
});

/** Settings that a client may change, each with what it changes. */
const patches: readonly (readonly [
  SettingsPatch,
  Partial<Omit<SessionConfig, "limits">> | { readonly limits: object },
])[] = [
  [{ mode: "plan" }, { mode: "plan" }],
  [{ strategy: "sequential" }, { strategy: "sequential" }],
  [{ model: "test/model-2" }, { model: expect.objectContaining({ id: "model-2" }) }],
  [{ limits: { maxToolCallsPerBatch: 7 } }, { limits: { maxToolCallsPerBatch: 7 } }],
  [{ limits: { maxModelCallsPerTurn: 9 } }, { limits: { maxModelCallsPerTurn: 9 } }],
  [
    { limits: { maxIdenticalCalls: 2, maxParallelReads: 1 } },
    { limits: { maxIdenticalCalls: 2, maxParallelReads: 1 } },
  ],
];

function patchAt(index: number): (typeof patches)[number] {
  return patches[index] ?? [{}, {}];
}

test("two frontends that set different keys in the same millisecond both hold, whichever they are", async () => {
  const hub = memoryHub();
  const remote = await hub.remote();
  const identity = { frontend: "test", role: "operate" } as const;
  const pick = fc.nat(patches.length - 1);
  await fc.assert(
    fc.asyncProperty(pick, pick, async (one, other) => {
      fc.pre(one !== other);
      const own = await hub.local.open({ type: "new" }, { identity, purpose: "drive" });
      const theirs = await remote.open({ type: "resume", id: own.id }, { identity, purpose: "drive" });
      const [ours, wanted] = patchAt(one);
      const [others, alsoWanted] = patchAt(other);
      const receipts = await Promise.all([
        own.submit({ type: "set", settings: ours }),
        theirs.submit({ type: "set", settings: others }),
      ]);
      expect(receipts.map(({ type }) => type)).toEqual(["accepted", "accepted"]);
      for (const client of [own, theirs]) {
        const { config } = await client.snapshot();
        expect(config).toMatchObject(wanted);
        expect(config).toMatchObject(alsoWanted);
      }
      await theirs.close();
      await own.close();
    }),
    { numRuns: runs(100) },
  );
  await remote.close();
  await hub.close();
});
