import { AppError, type SessionEvent, toSessionId, type Message, type ConversationPage } from "@capstan/protocol";
import { expect, test } from "vitest";
import { begin, ended, identityOf, join, keptOf, type MakeEngine, say, typesOf, using } from "./under-test.ts";

export function sessionPromises(make: MakeEngine): void {
  test("a session that is closed and opened again continues where it was", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      const first = await say(engine, session, "hello");
      await ended(session, first.turnId);
      const before = await engine.sessions.read(session.id, 0);
      await session.close();
      const again = await join(engine, session.id);
      expect(again.recovery).toMatchObject({ waits: false });
      const second = await say(engine, again, "hello again");
      await ended(again, second.turnId);
      const after = await engine.sessions.read(session.id, 0);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(typesOf(after).filter((type) => type === "turn-ended")).toHaveLength(2);
    });
  });

  test("history comes backwards by pages, and they are the journal", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      for (const words of ["one", "two", "three"]) await ended(session, (await say(engine, session, words)).turnId);
      let events: readonly SessionEvent[] = [];
      let before: number | null = null;
      let pages = 0;
      do {
        const page: { readonly events: readonly SessionEvent[]; readonly before: number | null } =
          await session.history(before, 3);
        expect(await engine.sessions.history(session.id, before, 3)).toEqual(page);
        events = [...page.events, ...events];
        before = page.before;
        pages += 1;
      } while (before !== null && pages < 1000);
      expect(keptOf(events)).toEqual(keptOf(await engine.sessions.read(session.id, 0)));
      expect(pages).toBeGreaterThan(1);
    });
  });

  test("what was said comes backwards by pages, and a snapshot has none of it", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      for (const words of ["one", "two", "three"]) await ended(session, (await say(engine, session, words)).turnId);
      const whole = await session.conversation(null, 1000);
      let messages: readonly Message[] = [];
      let page: ConversationPage;
      do {
        page = await session.conversation(messages.length === 0 ? null : whole.messages.length - messages.length, 2);
        expect(page.messages.length).toBeLessThanOrEqual(2);
        messages = [...page.messages, ...messages];
      } while (page.from > 0);
      expect({ messages, from: 0 }).toEqual(whole);
      expect(JSON.stringify(messages.filter(({ role }) => role === "user"))).toMatch(/one.*two.*three/);
      expect(JSON.stringify(await session.snapshot())).not.toContain("three");
    });
  });

  test("a fork begins with the same words and has a journal of its own", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      await ended(session, (await say(engine, session, "hello")).turnId);
      const before = await engine.sessions.read(session.id, 0);
      const fork = await engine.open(
        { type: "fork", id: session.id },
        { identity: identityOf("operate"), purpose: "drive" },
      );
      expect(fork.id).not.toBe(session.id);
      await ended(fork, (await say(engine, fork, "go elsewhere")).turnId);
      expect(await engine.sessions.read(session.id, 0)).toEqual(before);
      expect(typesOf(await engine.sessions.read(fork.id, 0)).filter((type) => type === "turn-started")).toHaveLength(2);
    });
  });

  test("a session that there is not is an error with a code", async () => {
    await using(make, async ({ connect }) => {
      const error = await join(await connect(), toSessionId("no-such-session")).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: "session.unknown" });
    });
  });
}
