import type { SessionEvent } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { problemWith } from "../published-schema.ts";
import { anyEvents, anyFeatures, checkedLines, kept, updatesOf } from "./any-session.ts";
import { foldUpdates, type Shown } from "./fold-updates.ts";

/**
 * Without the answers of which a client was shown what is nowhere kept: those that broke off and were asked for again, and those whose
 * pieces (here they are random) are not the beginning of the whole.
 */
function lasting(shown: Shown, live: Shown, events: readonly SessionEvent[]): unknown {
  const retried = events.flatMap(({ record }) => (record.type === "step-retrying" ? [record.stepId] : []));
  const replaced = live.order.flatMap((id) => / (\S+)\.\d+:\d+$/.exec(id)?.[1] ?? []);
  const steps = new Set<string>([...retried, ...replaced]);
  const stays = (id: string): boolean =>
    ![...steps].some((step) => id.includes(` ${step}:`) || id.includes(` ${step}.`));
  const messages = Object.fromEntries(Object.entries(shown.messages).filter(([id]) => stays(id)));
  return { ...shown, messages, order: shown.order.filter(stays) };
}

test("everything that is shown and asked in any journal fits the published schema", () => {
  fc.assert(
    fc.property(anyEvents, anyFeatures, (events, features) => {
      expect(checkedLines(events, features).filter((problem) => problem !== null)).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
});

test("the published schema refuses what is none of its shapes", () => {
  const good = { sessionUpdate: "tool_call", toolCallId: "c", title: "t", status: "pending" };
  expect(problemWith("SessionNotification", { sessionId: "s", update: good })).toBeNull();
  for (const bad of [{ status: "running" }, { title: 1 }, { sessionUpdate: "tool" }, { toolCallId: null }])
    expect(problemWith("SessionNotification", { sessionId: "s", update: { ...good, ...bad } })).not.toBeNull();
});

test("whoever is shown everything afterwards ends with what whoever was shown live has", () => {
  fc.assert(
    fc.property(anyEvents, anyFeatures, (events, features) => {
      const live = foldUpdates(updatesOf(events, features));
      const afterwards = foldUpdates(updatesOf(kept(events), features));
      expect(lasting(afterwards, live, events)).toEqual(lasting(live, live, events));
    }),
    { numRuns: runs(150) },
  );
});
