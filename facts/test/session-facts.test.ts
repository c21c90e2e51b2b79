import { expect, test } from "vitest";
import { SessionFacts } from "../src/session-facts.ts";

test("once it is closed nothing opens what is remembered, neither work that began before nor a second use", async () => {
  let opened = 0;
  const facts = new SessionFacts({
    open: () => {
      opened += 1;
      return Promise.reject(new Error("there is no disk here"));
    },
    exists: () => true,
    sessions: { list: async () => [], read: async () => [], readBefore: async () => [] },
    now: () => 0,
    newId: () => "1",
    redact: (text) => text,
  });
  await facts.readOn("/w", { maxReads: 1 });
  await facts.readOn("/w", { maxReads: 1 });
  expect(opened).toBe(2);
  await facts.close();
  await facts.readOn("/w", { maxReads: 1 });
  await expect(facts.list({ limit: 1 })).rejects.toThrow("what is remembered is closed");
  await expect(facts.list({ limit: 1 })).rejects.toThrow("what is remembered is closed");
  await facts.close();
  expect(opened).toBe(2);
});
