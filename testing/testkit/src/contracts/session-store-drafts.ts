import { toSessionId } from "@capstan/protocol";
import { expect } from "vitest";
import { notice } from "./sample-records.ts";
import type { Check } from "./session-store-check.ts";

/** What users have typed and not sent. */
export function draftPromises(check: Check): void {
  check("a user's draft is kept per session, and outlives the process", async ({ store, reopen }) => {
    for (const id of [session, other]) {
      // oxlint-disable-next-line no-await-in-loop -- one session after the other
      await store.append(id, { after: 0, at: 1, records: [notice("a")], flush: false });
    }
    expect(await store.draft(session, "ann")).toBeNull();
    for (const text of ["", "a\u0000\ud800", "two\nlines \u{1f9ed}", "x".repeat(70_000)]) {
      /* oxlint-disable no-await-in-loop -- one draft after the other */
      await store.saveDraft(session, "ann", { text, at: 7 });
      expect(await store.draft(session, "ann")).toEqual({ text, at: 7 });
      /* oxlint-enable no-await-in-loop */
    }
    await store.saveDraft(session, "a\u0000", { text: "by an odd name", at: 8 });
    await store.saveDraft(other, "ann", { text: "elsewhere", at: 9 });
    const again = reopen === undefined ? store : await reopen();
    expect((await again.draft(session, "ann"))?.text.length).toBe(70_000);
    expect(await again.draft(session, "a\u0000")).toEqual({ text: "by an odd name", at: 8 });
    expect(await again.draft(session, "a")).toBeNull();
    await again.saveDraft(session, "ann", null);
    expect(await again.draft(session, "ann")).toBeNull();
    expect(await again.draft(other, "ann")).toEqual({ text: "elsewhere", at: 9 });
    await again.close();
  });

  check("a draft is no part of the journal, and goes with its session", async ({ store }) => {
    await store.saveDraft(session, "ann", { text: "of no session", at: 1 });
    await store.append(session, { after: 0, at: 5, records: [notice("a")], flush: false });
    expect(await store.draft(session, "ann")).toBeNull();
    const before = [await store.readChained(session), await store.list()];
    await store.saveDraft(session, "ann", { text: "typed", at: 6 });
    expect([await store.readChained(session), await store.list(), await store.check(session)]).toEqual([...before, []]);
    await store.delete(session);
    await store.append(session, { after: 0, at: 7, records: [notice("a")], flush: false });
    expect(await store.draft(session, "ann")).toBeNull();
  });

  check("a draft that is far too long is refused, and of very many users the oldest drafts go", async ({ store }) => {
    await store.append(session, { after: 0, at: 5, records: [notice("a")], flush: false });
    await expect(store.saveDraft(session, "ann", { text: "x".repeat(2 ** 20 + 1), at: 1 })).rejects.toMatchObject({
      code: "usage.invalid",
    });
    for (let user = 0; user <= 100; user += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one user after the other
      await store.saveDraft(session, `user-${user}`, { text: "typed", at: user });
    }
    expect(await store.draft(session, "user-0")).toBeNull();
    expect(await store.draft(session, "user-1")).toEqual({ text: "typed", at: 1 });
  });
}

const session = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");
const other = toSessionId("01bbbbbbbbbbbbbbbbbbbbbbbb");
