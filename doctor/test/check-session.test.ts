import { expect, test } from "vitest";
import type { JournalRecord } from "@capstan/protocol";
import { bootTimeMs, processIdentity } from "@capstan/storage";
import { checkSession } from "../src/check-session.ts";
import { id, type Patient, patient, question, records } from "./damaged-place.ts";

/** What is wrong with a session, by what was looked at. */
async function problems({ store }: Patient): Promise<Readonly<Record<string, string>>> {
  const checks = await checkSession(store, id);
  return Object.fromEntries(checks.flatMap(({ name, verdict, text }) => (verdict === "bad" ? [[name, text]] : [])));
}

/** What was said about one thing. */
async function said(place: Patient, name: string): Promise<string> {
  const checks = await checkSession(place.store, id);
  return checks.find((check) => check.name === name)?.text ?? "";
}

test("a healthy session is found healthy, and nothing about it changes", async () => {
  const place = await patient();
  const before = await place.store.readChained(id);
  const checks = await checkSession(place.store, id);
  expect(checks.map(({ name, verdict }) => `${verdict} ${name}`)).toEqual([
    "good chain",
    "good records",
    "good calls",
    "good conversation",
    "good requests",
    "good work",
    "note checkpoints",
    "good lease",
  ]);
  expect(await place.store.readChained(id)).toEqual(before);
});

test("a changed record is found, with its number", async () => {
  const place = await patient();
  place.tamper("UPDATE events SET body = replace(body, 'look at it', 'look at me') WHERE seq = 3");
  expect(await problems(place)).toMatchObject({ "broken chain": expect.stringContaining("record 3") });
});

test("a record that was taken out is found", async () => {
  const place = await patient();
  place.tamper("DELETE FROM events WHERE seq = 8");
  expect(await problems(place)).toMatchObject({
    "broken chain": expect.stringContaining("record 9"),
    calls: expect.stringContaining("call-1 has no outcome"),
  });
});

test("a record that cannot be read is found, and distinguished from one that was changed", async () => {
  const place = await patient();
  place.tamper("UPDATE events SET body = '{\"type\":' WHERE seq = 5");
  expect(await problems(place)).toMatchObject({
    "damaged record": expect.stringContaining("record 5"),
    records: expect.stringContaining("cannot be understood"),
  });
});

test("a record put in from outside is found", async () => {
  const place = await patient();
  place.tamper(
    "UPDATE events SET seq = 12 WHERE seq = 11; INSERT INTO events (session_id, seq, at, body, hash) SELECT session_id, 11, at, body, hash FROM events WHERE seq = 10",
  );
  expect(Object.keys(await problems(place))).toContain("broken chain");
});

test("an end that was cut off is found", async () => {
  const place = await patient();
  place.tamper("DELETE FROM events WHERE seq > 8");
  expect(await problems(place)).toMatchObject({ "missing end": expect.stringContaining("ends with number 8") });
});

test("an index that does not fit the records is found", async () => {
  const place = await patient();
  place.tamper("UPDATE sessions SET turns = 7");
  expect(Object.keys(await problems(place))).toEqual(["index"]);
});

test("a call that has two outcomes is found, although the chain is whole", async () => {
  const finished = records.filter((record) => record.type === "tool-finished");
  const place = await patient([...records.slice(0, 8), ...finished, ...records.slice(8)]);
  expect(await problems(place)).toEqual({ calls: expect.stringContaining("a second time") });
});

test("every problem comes with something to do", async () => {
  const place = await patient();
  place.tamper("UPDATE events SET body = replace(body, 'seen', 'SEEN')");
  const checks = await checkSession(place.store, id);
  const advice = checks.flatMap((check) => (check.verdict === "bad" ? [check.advice] : []));
  expect(advice).toEqual(advice.map(() => expect.stringContaining(`capstan doctor ${id} --repair`)));
});

test.each<[string, readonly JournalRecord[], string]>([
  ["before a model was asked", records.slice(0, 3), "no model was asked yet"],
  ["while a model was asked", records.slice(0, 4), "asked again"],
  ["while a call ran", records.slice(0, 7), "look file.txt"],
  ["between calls", records.slice(0, 5), "wait to be started"],
  ["with a question open", [...records.slice(0, 5), question], "wait to be started"],
])("work that was interrupted %s is reported, and is no problem", async (_when, journal, text) => {
  const place = await patient(journal);
  expect(await problems(place)).toEqual({});
  expect(await said(place, "work")).toContain(text);
});

test("who writes to a session is reported, and whether they still live", async () => {
  const place = await patient();
  const owner = { ...processIdentity(), id: "opening", frontend: "test" };
  const claim = { owner, beatMs: bootTimeMs(), at: 1000, isGone: () => true };
  await place.store.claim(id, claim);
  expect(await said(place, "lease")).toContain("is writing to it");
  await place.store.claim(id, { ...claim, owner: { ...owner, processStart: "1" } });
  expect(await said(place, "lease")).toContain("the next opening takes it over");
  await place.store.claim(id, { ...claim, owner: { ...owner, processNamespace: "elsewhere" } });
  expect(await said(place, "lease")).toContain("cannot be seen");
});
