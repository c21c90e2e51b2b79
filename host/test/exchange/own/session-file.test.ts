import type { SessionStore } from "@capstan/ports";
import { toSessionId } from "@capstan/protocol";
import { createMemoryStore } from "@capstan/storage";
import { configVariants, playMoves, randomMoves } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importSession } from "../../../src/exchange/import-session.ts";
import { readSessionFile } from "../../../src/exchange/own/read-session-file.ts";
import { sessionFileLines } from "../../../src/exchange/own/session-file.ts";
import { importOptions } from "../import-options.ts";

const id = toSessionId("one");

async function exported(store: SessionStore, sessionId = id, redact?: (text: string) => string): Promise<string> {
  const events = await store.readChained(sessionId);
  const options = { sessionId, version: "1.2.3", ...(redact === undefined ? {} : { redact }) };
  return [...sessionFileLines(events, options), ""].join("\n");
}

/** A store with one session of any kind, written as a runtime would: in several appends, with pieces that were superseded. */
const filledStore: fc.Arbitrary<() => Promise<SessionStore>> = fc
  .tuple(randomMoves, fc.nat(configVariants - 1), fc.integer({ min: 1, max: 9 }))
  .map(([moves, variant, size]) => async () => {
    const store = createMemoryStore();
    const { journal } = playMoves(moves, variant);
    let after = 0;
    for (let from = 0; from < journal.length; from += size) {
      const records = journal.slice(from, from + size);
      const events = await store.append(id, { after, at: 1000 + from, records, flush: false });
      after = events.at(-1)?.seq ?? after;
    }
    return store;
  });

test("export, import elsewhere, export: byte for byte the same", async () => {
  await fc.assert(
    fc.asyncProperty(filledStore, async (fill) => {
      const text = await exported(await fill());
      const other = createMemoryStore();
      const report = await importSession(other, { name: "file", text }, importOptions());
      expect(await exported(other, report.sessionId)).toBe(text);
    }),
    { numRuns: 100 },
  );
});

test("imported under another id, only the first line differs", async () => {
  const [fill] = fc.sample(filledStore, { numRuns: 1, seed: 7 });
  const text = await exported(await (fill?.() ?? createMemoryStore()));
  const other = createMemoryStore();
  const report = await importSession(other, { name: "file", text }, importOptions({ as: "two" }));
  const again = await exported(other, report.sessionId);
  expect(again.replace('"sessionId":"two"', '"sessionId":"one"')).toBe(text);
});

test("whatever is changed, removed or cut in a file is found, and what is kept is what was", async () => {
  await fc.assert(
    fc.asyncProperty(filledStore, fc.nat(), fc.constantFrom("change", "remove", "cut"), async (fill, place, how) => {
      const lines = (await exported(await fill())).trimEnd().split("\n");
      const at = 1 + (place % (lines.length - 1));
      const damaged = {
        change: lines.with(at, (lines[at] ?? "").replace('"at":1', '"at":2')),
        remove: lines.toSpliced(at, 1),
        cut: [...lines.slice(0, at), (lines[at] ?? "").slice(0, 20)],
      }[how];
      const read = readSessionFile(damaged.join("\n"));
      const original = readSessionFile(lines.join("\n"));
      // A piece of an unfinished answer stands outside the chain; its time is nobody's evidence.
      const isDelta = (lines[at] ?? "").includes('"hash":null');
      expect(read?.problem !== null || (isDelta && how === "change")).toBe(true);
      const kept = read?.events.slice(0, at - 1) ?? [];
      expect(kept).toEqual(original?.events.slice(0, kept.length));
    }),
    { numRuns: 200 },
  );
});

test("a broken file is refused with its line, and healed only when that is asked for", async () => {
  const [fill] = fc.sample(filledStore, { numRuns: 1, seed: 11 });
  const lines = (await exported(await (fill?.() ?? createMemoryStore()))).trimEnd().split("\n");
  const text = lines.with(2, (lines[2] ?? "").replace('"at":1', '"at":2')).join("\n");
  const store = createMemoryStore();
  await expect(importSession(store, { name: "file.jsonl", text }, importOptions())).rejects.toMatchObject({
    code: "import.broken",
    message: expect.stringContaining("file.jsonl: line 3 (record 2): its hash does not follow"),
  });
  expect(await store.list()).toEqual([]);
  const report = await importSession(store, { name: "file.jsonl", text }, importOptions({ heal: true }));
  expect({ records: report.records, notes: report.notes }).toEqual({
    records: 1,
    notes: expect.arrayContaining([expect.stringContaining("only its good beginning was kept")]),
  });
});

test("a redacted file says so, holds no secret, and can still be imported", async () => {
  const store = createMemoryStore();
  const secret = "hunter22hunter22";
  await store.append(id, {
    after: 0,
    at: 1000,
    records: [
      {
        type: "session-started",
        sessionId: id,
        workspace: { cwd: "/", roots: ["/"] },
        origin: { face: "test" },
        version: "1.2.3",
      },
      { type: "notice", level: "info", code: "test", text: `the word is ${secret}` },
    ],
    flush: true,
  });
  const text = await exported(store, id, (value) => value.replaceAll(secret, "***"));
  expect(text).not.toContain(secret);
  expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({ redacted: true, note: expect.any(String) });
  const report = await importSession(createMemoryStore(), { name: "file", text }, importOptions());
  expect(report.notes).toEqual([expect.stringContaining("hashes could not be checked")]);
});

test("a file of a newer format is refused, not guessed at", () => {
  const text = '{"format":"capstan-session","version":2,"sessionId":"x","events":0,"head":null}\n';
  expect(readSessionFile(text)?.problem).toContain("version 2");
});
