/** Whatever happens to the file, `doctor --repair` leaves sessions that can be read, folded and exported, with every undamaged record. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  type JournalRecord,
  type SessionEvent,
  type SessionId,
  toSessionId,
  toStepId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { sessionFileLines } from "@capstan/importers";
import { inParts, openSqliteStore } from "@capstan/storage";
import { message, opening, sampled, tester, testUsage } from "@capstan/testkit";
import { expect, test } from "vitest";
import { type Database, loadSqlite } from "../../../adapters/storage/src/sqlite/database.ts";
import { checkSession } from "@capstan/doctor";
import { repairDatabase } from "../../src/doctor/repair-database.ts";
import { openSessions } from "../../src/exchange/open-sessions.ts";
import { systemChance, systemClock } from "../../src/system/system-ports.ts";
import { newPlace } from "../host-place.ts";

const pageBytes = 4096;
const turns = 15;
const ids = ["one", "two", "three", "four"].map(toSessionId);

/** Stands in one record only, again and again: wherever a part of the record is, one is near. */
function markOf(id: SessionId, seq: number): string {
  return `<${id}:${seq}>`;
}

function turnOf(id: SessionId, turn: number, after: number): readonly JournalRecord[] {
  const turnId = toTurnId(`${id}-${turn}`);
  const stepId = toStepId(`${turnId}.s1`);
  const text = (seq: number): string => markOf(id, seq).repeat(turn % 5 === 0 ? 900 : 20);
  return [
    { type: "turn-started", turnId, content: userText(text(after + 1)), origin: tester },
    { type: "step-started", stepId, turnId, attempt: 1, model: "test/model-1" },
    {
      type: "step-completed",
      stepId,
      message: message(text(after + 3)),
      reason: "stop",
      usage: testUsage,
      costUsd: null,
    },
    { type: "turn-ended", turnId, outcome: "done", rolledBack: false },
  ];
}

interface Sound {
  readonly home: string;
  readonly path: string;
  readonly content: Buffer;
  readonly journals: ReadonlyMap<SessionId, readonly SessionEvent[]>;
  /** Where each mark of a record stands in the file. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

async function soundDatabase(): Promise<Sound> {
  const { home } = newPlace();
  const { store, data } = await openSessions(home);
  const journals = new Map<SessionId, readonly SessionEvent[]>();
  for (const id of ids) await store.append(id, { after: 0, at: 1, records: opening(), flush: true });
  // One turn of each after the other, so that their records share pages.
  for (let turn = 0; turn < turns; turn += 1)
    for (const id of ids) {
      const after = opening().length + turn * 4;
      await store.append(id, { after, at: 2 + turn, records: turnOf(id, turn, after), flush: true });
    }
  for (const id of ids) journals.set(id, await store.read(id, 0));
  await store.close();
  const content = readFileSync(data.database);
  return { home, path: data.database, content, journals, places: placesIn(content) };
}

/** Numbers that depend on the seed only, below `limit`. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

interface Damage {
  readonly what: string;
  /** Whether anything of a record that stands there, or of what leads to it, was damaged. */
  readonly hits: (id: SessionId, seq: number) => boolean;
}

/** Damages the file in one of four ways. */
function damage(sound: Sound, number: (limit: number) => number): Damage {
  const kind = number(4);
  const content = Buffer.from(sound.content);
  if (kind === 0) {
    const pages = Array.from({ length: 1 + number(5) }, () => number(content.length / pageBytes));
    for (const page of pages) content.fill(0, page * pageBytes, (page + 1) * pageBytes);
    writeFileSync(sound.path, content);
    return {
      what: `zeroed pages ${pages.join(", ")}`,
      hits: (id, seq) => placesOf(sound, id, seq).some((at) => pages.includes(pageOf(at))),
    };
  }
  if (kind === 1) {
    const places = Array.from({ length: 1 + number(8) }, () => number(content.length));
    for (const place of places) content[place] = ((content[place] ?? 0) + 1 + number(255)) % 256;
    writeFileSync(sound.path, content);
    return {
      what: `changed bytes ${places.join(", ")}`,
      hits: (id, seq) => placesOf(sound, id, seq).some((at) => places.some((place) => mayReach(sound, place, at))),
    };
  }
  if (kind === 2) {
    const length = number(content.length);
    writeFileSync(sound.path, content.subarray(0, length));
    return {
      what: `cut after ${length} bytes`,
      hits: (id, seq) => placesOf(sound, id, seq).some((at) => pageOf(at) >= Math.floor(length / pageBytes)),
    };
  }
  const id = ids[number(ids.length)] ?? toSessionId("one");
  const seq = 1 + number(opening().length + turns * 4);
  writeFileSync(sound.path, content);
  changeRecord(sound.path, { id, seq }, number);
  return { what: `changed record ${seq} of ${id}`, hits: (...record) => record[0] === id && record[1] === seq };
}

/** Letters, or a whole field, as whoever edits the database might; SQLite finds nothing wrong with it. */
function changeRecord(
  path: string,
  { id, seq }: { readonly id: SessionId; readonly seq: number },
  number: (limit: number) => number,
): void {
  const database: Database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
  try {
    const row = database.prepare("SELECT body FROM events WHERE session_id = ? AND seq = ?").get(id, seq);
    const body = String(Reflect.get(Object(row), "body"));
    const at = number(body.length - 1);
    const parsed: object = JSON.parse(body);
    const names = Object.keys(parsed);
    const name = names[number(names.length)] ?? "";
    const changed =
      number(2) === 0 ? `${body.slice(0, at)}~${body.slice(at + 1)}` : JSON.stringify({ ...parsed, [name]: undefined });
    database.prepare("UPDATE events SET body = ? WHERE session_id = ? AND seq = ?").run(changed, id, seq);
  } finally {
    database.close();
  }
}

function pageOf(at: number): number {
  return Math.floor(at / pageBytes);
}

/** Where marks of a record are in the undamaged file. */
function placesOf({ places }: Sound, id: SessionId, seq: number): readonly number[] {
  return places.get(markOf(id, seq)) ?? [];
}

function placesIn(content: Buffer): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const { 0: mark, index } of content.toString("latin1").matchAll(/<(?:one|two|three|four):\d+>/g))
    places.set(mark, [...(places.get(mark) ?? []), index]);
  return places;
}

/** Whether a changed byte may belong to the record near this mark, or to the head of its page. */
function mayReach({ content }: Sound, place: number, at: number): boolean {
  if (pageOf(place) !== pageOf(at)) return false;
  const start = pageOf(at) * pageBytes;
  const isHead = place - start < 12 + 2 * content.readUInt16BE(start + 3);
  return isHead || Math.abs(place - at) < aroundMark;
}

/** What a record has before its first mark and after its last one: names, fields, its link. */
const aroundMark = 600;

/** What was said in a journal with holes may have calls or turns that nothing answers. */
function mustBeGood(check: string, hasBeginning: boolean): boolean {
  return check === "records" ? hasBeginning : !["calls", "conversation", "requests"].includes(check);
}

test(
  "whatever is damaged, doctor --repair leaves every undamaged record in sessions that fold, and are exported",
  { timeout: 1_800_000 },
  async () => {
    const sound = await soundDatabase();
    const seeds = Array.from({ length: 1000 }, (_item, at) => at + 1);
    const met = { undamaged: 0, damaged: 0 };
    for (const seed of sampled(seeds, 8)) {
      for (const end of ["-wal", "-shm"]) rmSync(sound.path + end, { force: true });
      const { what, hits } = damage(sound, numbersFrom(seed * 7919));
      await repairDatabase(sound.home, { clock: systemClock, chance: systemChance });
      const store = await openSqliteStore({ path: sound.path });
      for (const id of ids) {
        const expected = (sound.journals.get(id) ?? []).filter(
          ({ seq }) => placesOf(sound, id, seq).length > 0 && !hits(id, seq),
        );
        met.undamaged += expected.length;
        met.damaged += turns * 2 - expected.length;
        const found = new Map((await store.read(id, 0)).map((event) => [event.seq, event]));
        const lost = expected.filter(({ seq }) => !found.has(seq)).map(({ seq }) => seq);
        expect({ seed, what, id, lost }).toEqual({ seed, what, id, lost: [] });
        expect(expected.map(({ seq }) => found.get(seq))).toEqual(expected);
        const lines: string[] = [];
        for await (const line of sessionFileLines(
          () => inParts((after, limit) => store.readChained(id, after, limit)),
          {
            sessionId: id,
            version: "1.2.3",
          },
        ))
          lines.push(line);
        const exported = lines.join("\n");
        expect(expected.filter(({ seq }) => !exported.includes(markOf(id, seq)))).toEqual([]);
        // Without its first two records a session can be read and exported, and not be continued.
        const problems = found.size === 0 ? [] : await checkSession(store, id);
        const bad = problems.filter(
          ({ name, verdict }) => verdict === "bad" && mustBeGood(name, found.has(1) && found.has(2)),
        );
        expect({ seed, what, id, bad }).toEqual({ seed, what, id, bad: [] });
      }
      await store.close();
    }
    expect(Math.min(met.undamaged, met.damaged)).toBeGreaterThan(turns);
  },
);

test.each(["spawned_by", "cold_records"])(
  "a letter changed in the file's own word for %s costs no record, and what is repaired is whole the next time",
  async (word) => {
    const sound = await soundDatabase();
    const content = Buffer.from(sound.content);
    const changed = `${word.slice(0, -1)}q`;
    for (let at = content.indexOf(word); at !== -1; at = content.indexOf(word, at + 1)) content.write(changed, at);
    writeFileSync(sound.path, content);
    const ports = { clock: systemClock, chance: systemChance };
    expect(await repairDatabase(sound.home, ports)).not.toBeNull();
    const store = await openSqliteStore({ path: sound.path });
    for (const id of ids) expect(await store.read(id, 0)).toEqual(sound.journals.get(id));
    await store.close();
    expect(await repairDatabase(sound.home, ports)).toBeNull();
  },
);
