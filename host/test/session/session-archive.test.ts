import type { SessionStore } from "@capstan/ports";
import { toSessionId } from "@capstan/protocol";
import { createMemoryStore } from "@capstan/storage";
import { opening } from "@capstan/testkit";
import { expect, test } from "vitest";
import { SessionArchive } from "../../src/session/session-archive.ts";

async function storeWith(...ids: readonly string[]): Promise<SessionStore> {
  const store = createMemoryStore();
  for (const id of ids) await store.append(toSessionId(id), { after: 0, at: 1, records: opening(), flush: false });
  return store;
}

test("an id or a beginning that only one session has finds it; a whole id wins over longer ones", async () => {
  const archive = new SessionArchive(await storeWith("abc", "abcd", "abd", "x"));
  const check = async (text: string, expected: string): Promise<void> => {
    await expect(archive.resolve(text).catch((error: { readonly code: string }) => error.code)).resolves.toBe(expected);
  };
  await check("x", "x");
  await check("abcd", "abcd");
  await check("abc", "abc");
  await check("abd", "abd");
  await check("ab", "session.ambiguous");
  await check("", "session.unknown");
  await check("abcde", "session.unknown");
  await check("ABC", "session.unknown");
  await check("%", "session.unknown");
});

test("what is not there cannot be read, and the list can", async () => {
  const archive = new SessionArchive(await storeWith("abc"));
  await expect(archive.read(toSessionId("ab"))).rejects.toMatchObject({ code: "session.unknown" });
  expect((await archive.read(toSessionId("abc"))).map((event) => event.seq)).toEqual([1, 2]);
  expect((await archive.list()).map((summary) => summary.id)).toEqual(["abc"]);
});
