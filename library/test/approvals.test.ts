import { expect, test } from "vitest";
import type { Interaction } from "../src/index.ts";
import { bell, deferred, newPlace, rehearse, ringing } from "./library-place.ts";

test("a callback that throws is reported and leaves the question open for another client", async () => {
  const { tool, rung } = bell();
  const reported = deferred<unknown>();
  const engine = newPlace().engine(await rehearse(ringing), {
    tools: [tool],
    report: reported.resolve,
    onApproval: () => {
      throw new Error("nobody at the door");
    },
  });
  const session = await engine.open();
  const result = session.send("Ring twice.").result();
  expect(await reported.promise).toMatchObject({ message: "nobody at the door" });
  const { pending } = await session.client.snapshot();
  expect(pending).toHaveLength(1);
  const receipts = await Promise.all(
    pending.map(({ id, digest }) =>
      session.client.submit({ type: "answer", interactionId: id, answer: { type: "approve", digest } }),
    ),
  );
  expect(receipts.map(({ type }) => type)).toEqual(["accepted"]);
  expect(await result).toMatchObject({ outcome: "done" });
  expect(rung).toEqual([2]);
});

test("an answer that comes after another one changes nothing, and the callback's signal says so", async () => {
  const { tool, rung } = bell();
  const reports: unknown[] = [];
  const asked = deferred<{ readonly interaction: Interaction; readonly signal: AbortSignal }>();
  const engine = newPlace().engine(await rehearse(ringing), {
    tools: [tool],
    report: (error) => reports.push(error),
    onApproval: (interaction, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ type: "approve", digest: interaction.digest }));
        asked.resolve({ interaction, signal });
      }),
  });
  const session = await engine.open();
  const result = session.send("Ring twice.").result();
  const { interaction, signal } = await asked.promise;
  const deny = { type: "answer", interactionId: interaction.id, answer: { type: "deny" } } as const;
  expect(await session.client.submit(deny)).toMatchObject({ type: "accepted" });
  await result;
  expect(signal.aborted).toBe(true);
  expect(rung).toEqual([]);
  expect(reports).toEqual([]);
});

test("an answer that does not fit is reported, and the question stays open", async () => {
  const { tool, rung } = bell();
  const reported = deferred<unknown>();
  const engine = newPlace().engine(await rehearse(ringing), {
    tools: [tool],
    report: reported.resolve,
    onApproval: () => ({ type: "approve", digest: "of something else" }),
  });
  const session = await engine.open();
  const turn = session.send("Ring twice.");
  expect(String(await reported.promise)).toContain("was refused (interaction.stale)");
  expect((await session.client.snapshot()).pending).toHaveLength(1);
  await session.close();
  expect(await turn.result()).toMatchObject({ type: "closed" });
  expect(rung).toEqual([]);
});

test("what an earlier process left open is asked when the session is resumed", async () => {
  const { tool, rung } = bell();
  const place = newPlace();
  const model = await rehearse(ringing);
  const waiting = deferred<void>();
  const first = place.engine(model, {
    tools: [tool],
    onApproval: () => {
      waiting.resolve();
      return undefined;
    },
  });
  const session = await first.open();
  session.send("Ring twice.");
  await waiting.promise;
  await first.shutdown();
  const second = place.engine(model, {
    tools: [tool],
    onApproval: ({ digest }) => ({ type: "approve", digest }),
  });
  const resumed = await second.open({ type: "resume", id: session.id });
  for await (const frame of resumed.client.attach(resumed.client.recovery.after)) {
    if (frame.type === "record" && frame.event.record.type === "turn-ended") break;
  }
  expect(rung).toEqual([2]);
});
