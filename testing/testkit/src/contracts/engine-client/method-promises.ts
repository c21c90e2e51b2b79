import { AppError, includesRole, type Role, roles, type SessionClient, type SessionId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { checkRefused } from "./submit-promises.ts";
import { begin, ended, identityOf, join, keptOf, type MakeEngine, say, typesOf, using } from "./under-test.ts";

const operator = identityOf("operate");

/** Sessions as wholes, settings, files and trust: what frontends need beyond a turn. */
export function methodPromises(make: MakeEngine): void {
  exchangePromises(make);
  rolesOfMethods(make);
  rewindPromises(make);
  installationPromises(make);
}

/** A session with so many turns that is closed again. */
async function closedSession(engine: Parameters<typeof begin>[0], turns: number): Promise<SessionId> {
  const session = await begin(engine);
  for (let turn = 1; turn <= turns; turn += 1)
    await ended(session, (await say(engine, session, `words ${turn}`)).turnId);
  await session.close();
  return session.id;
}

async function linesOf(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return await work.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

function exchangePromises(make: MakeEngine): void {
  test("a session is exported as often as it is asked for, and comes back under another id with the same words", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const id = await closedSession(engine, 2);
      const exported = await linesOf(engine.sessions.export(id, { exact: true }, operator));
      expect(await linesOf(engine.sessions.export(id, { exact: true }, operator))).toEqual(exported);
      const file = { name: "session.jsonl", text: exported.join("\n"), as: "taken-over" };
      const report = await engine.sessions.import(file, operator);
      expect(report).toMatchObject({ sessionId: "taken-over", turns: 2 });
      expect(await codeOf(engine.sessions.import(file, operator))).toBe("usage.invalid");
      const session = await join(engine, report.sessionId);
      await ended(session, (await say(engine, session, "continue")).turnId);
      await session.close();
      expect(await codeOf(engine.sessions.import({ name: "x", text: "no session" }, operator))).toBe(
        "import.unknown-format",
      );
    });
  });

  test("a copy is another session with the same words, and a second copy is another one again", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const id = await closedSession(engine, 1);
      const before = await engine.sessions.read(id, 0);
      const copies = [await engine.sessions.copy(id, operator), await engine.sessions.copy(id, operator)];
      expect(new Set([id, ...copies]).size).toBe(3);
      for (const copy of copies) {
        const records = keptOf(await engine.sessions.read(copy, 0)).slice(1);
        expect(records.map(({ record }) => record)).toEqual(
          keptOf(before)
            .slice(1)
            .map(({ record }) => record),
        );
      }
      expect(await engine.sessions.read(id, 0)).toEqual(before);
      expect((await engine.sessions.check(id)).every(({ verdict }) => verdict !== "bad")).toBe(true);
    });
  });

  test("a session is deleted once, not while it is open, and is gone from the list", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const id = await closedSession(engine, 1);
      const open = await join(engine, id);
      expect(await codeOf(engine.sessions.delete(id, operator))).toBe("session.busy");
      await open.close();
      await engine.sessions.delete(id, operator);
      expect(await engine.sessions.list()).toEqual([]);
      expect(await codeOf(engine.sessions.delete(id, operator))).toBe("session.unknown");
    });
  });
}

function rolesOfMethods(make: MakeEngine): void {
  test.each(roles)(
    "a client with the role `%s` does to sessions what its role includes, and nothing more",
    async (role) => {
      await using(make, async ({ connect }) => {
        const engine = await connect();
        const id = await closedSession(engine, 1);
        const who = identityOf(role);
        const text = (await linesOf(engine.sessions.export(id, { exact: false }, who))).join("\n");
        const attempts: readonly (readonly [Role, () => Promise<unknown>])[] = [
          ["operate", () => linesOf(engine.sessions.export(id, { exact: true }, who))],
          ["drive", () => engine.sessions.copy(id, who)],
          ["operate", () => engine.sessions.import({ name: "x", text, as: `by-${role}` }, who)],
          ["operate", () => engine.sessions.rewind(id, { type: "back", conversation: true, files: true }, who)],
          ["operate", () => engine.trust.answer({ folder: "/", digest: "d" }, "trust", who)],
          ["operate", () => engine.grants.revoke("g", who)],
          ["operate", () => engine.sessions.delete(id, who)],
        ];
        for (const [index, [needed, attempt]] of attempts.entries()) {
          const expected = includesRole(role, needed) ? undefined : "door.role";
          expect([index, await codeOf(attempt())]).toEqual([index, expected]);
        }
        expect((await engine.sessions.list()).some((session) => session.id === id)).toBe(role !== "operate");
      });
    },
  );
}

async function turnsOf(client: SessionClient): Promise<number> {
  return (await client.snapshot()).turns.length;
}

function rewindPromises(make: MakeEngine): void {
  const back = { type: "back", conversation: true, files: true } as const;

  test("turns are taken back one after the other and brought back, whether the session is open or not", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      for (const words of ["one", "two", "three"]) await ended(session, (await say(engine, session, words)).turnId);
      expect((await session.previewRewind(1)).turns).toHaveLength(2);
      expect(await session.context()).toMatchObject({ messages: 6, summaries: [], resultCharacters: null });
      const first = await engine.sessions.rewind(session.id, back, operator);
      expect([first.receipt.type, typesOf(first.events), await turnsOf(session)]).toEqual([
        "accepted",
        ["rewind-started", "rewind-finished"],
        2,
      ]);
      await session.close();
      expect((await engine.sessions.rewind(session.id, { ...back, keepTurns: 0 }, operator)).receipt.type).toBe(
        "accepted",
      );
      checkRefused((await engine.sessions.rewind(session.id, back, operator)).receipt, "rewind.nothing");
      expect((await engine.sessions.rewind(session.id, { type: "forth" }, operator)).receipt.type).toBe("accepted");
      const again = await join(engine, session.id);
      expect([await turnsOf(again), (await again.previewRewind(2)).turns]).toEqual([2, []]);
    });
  });
}

function installationPromises(make: MakeEngine): void {
  test("settings, checks and trust questions are reported, the same ones each time", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const entries = await engine.config();
      expect(entries.find(({ key }) => key === "app.model")).toMatchObject({ origin: expect.any(String) });
      expect(await engine.config()).toEqual(entries);
      const names = (await engine.doctor()).map(({ name }) => name);
      expect(names).toContain("Node");
      expect((await engine.doctor()).map(({ name }) => name)).toEqual(names);
      const session = await begin(engine);
      expect([await engine.problems(session.id), await engine.problems(session.id)]).toEqual([null, null]);
      expect(await engine.trust.questions()).toEqual([]);
      expect(await engine.trust.answer({ folder: "/nowhere", digest: "none" }, "trust", operator)).toBe(false);
    });
  });

  test("files are found by letters of their paths, again and again, and not by who only watches", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      expect(await session.findFiles("main", 10)).toEqual({ paths: ["src/main.ts"], isPartial: false });
      expect((await session.findFiles("src", 1)).paths).toHaveLength(1);
      const watcher = await join(await connect(), session.id, identityOf("watch"));
      expect(await codeOf(watcher.findFiles("main", 10))).toBe("door.role");
    });
  });
}
