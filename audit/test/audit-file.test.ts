import { createHash } from "node:crypto";
import { createMemoryStore } from "@capstan/storage";
import { lookedSession } from "@capstan/testkit";
import { expect, test } from "vitest";
import { auditFile, importedPart } from "../src/audit-file.ts";

const { id, records } = lookedSession;

async function events(): ReturnType<ReturnType<typeof createMemoryStore>["readChained"]> {
  const store = createMemoryStore();
  await store.append(id, { after: 0, at: 1_700_000_000_000, records, flush: true });
  return store.readChained(id);
}

test("an exact audit carries the links of the session, and says that it is exact", async () => {
  const journal = await events();
  const { header, entries } = auditFile(id, journal);
  expect(header).toEqual({ format: "capstan-audit", sessionId: id, redacted: false, head: journal.at(-1)?.hash });
  expect(entries.every(({ seq, hash }) => journal.some((event) => event.seq === seq && event.hash === hash))).toBe(
    true,
  );
});

test("a redacted audit holds no secret, names of fields included, and its own chain can be recomputed", async () => {
  const { header, entries } = auditFile(id, await events(), (text) =>
    text.replaceAll("file.txt", "***").replaceAll("digest", "+++"),
  );
  const text = JSON.stringify(entries);
  const found = ["file.txt", '"digest":', '"+++":'].map((word) => text.includes(word));
  expect([header.redacted, ...found]).toEqual([true, false, false, true]);
  let link = "0".repeat(64);
  for (const { seq, at, hash, what } of entries) {
    link = createHash("sha256")
      .update(`${link} ${seq} ${at} ${JSON.stringify(what)}`)
      .digest("hex");
    expect(hash).toBe(link);
  }
});

test("a session that was begun here was not imported", async () => {
  expect(importedPart(await events())).toBe(null);
});
