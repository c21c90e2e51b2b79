import type { ConversationPage, HistoryPage, Message, SessionEvent } from "@capstan/protocol";
import { expect, test } from "vitest";
import { begin, ended, keptOf, type MakeEngine, say, using } from "./under-test.ts";

/** What was, page by page. */
export function historyPromises(make: MakeEngine): void {
  test("history comes backwards by pages, and they are the journal", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      for (const words of ["one", "two", "three"]) await ended(session, (await say(engine, session, words)).turnId);
      let events: readonly SessionEvent[] = [];
      let before: number | null = null;
      let pages = 0;
      do {
        const page: HistoryPage = await session.history(before, 3);
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
}
