import { readFileSync, statSync } from "node:fs";
import type { FactStore } from "@capstan/ports";
import { type Fact, toSessionId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hasFacts, openFactStore } from "../../src/index.ts";
import { type Folder, makeFolder } from "../folder.ts";

const session = toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa");
const other = toSessionId("01bbbbbbbbbbbbbbbbbbbbbbbb");

let folder: Folder;
let store: FactStore;

beforeEach(async () => {
  folder = await makeFolder();
  store = await openFactStore(folder.path("facts.db"));
});

afterEach(async () => {
  await store.close();
  await folder.remove();
});

function fact(id: string, text: string, more: Partial<Fact> = {}): Fact {
  const source = { sessionId: session, seq: 3 };
  const common = {
    kind: "pinned",
    scope: "workspace",
    cwd: "/w",
    entities: [],
    files: [],
    by: "user",
    at: 10,
  } as const;
  return { id, text, source, ...common, ...more };
}

async function idsOf(query: Partial<Parameters<FactStore["find"]>[0]>): Promise<readonly string[]> {
  return (await store.find({ limit: 50, ...query })).map(({ id }) => id);
}

test("facts are found by whole words whatever their case and accents, the best first", async () => {
  await store.add([
    fact("deploy", "We deploy on Fridays, and only then"),
    fact("both", "Deploys on Fridays deploy the café's till: deploy, deploy"),
    fact("path", "src/cart.js rounds half up"),
    fact("entity", "Half a cent", { entities: ["src/money.ts"] }),
  ]);
  expect(await idsOf({ words: "FRIDAYS" })).toHaveLength(2);
  expect(await idsOf({ words: "cafe" })).toEqual(["both"]);
  expect(await idsOf({ words: "src/cart.js" })).toEqual(["path"]);
  expect(await idsOf({ words: "money.ts nothing else" })).toEqual(["entity"]);
  expect(await idsOf({ words: "half src/cart.js", limit: 1 })).toEqual(["path"]);
  expect(await idsOf({ words: "frida" })).toEqual([]);
  expect(await idsOf({ words: '" ) ( * - NEAR OR' })).toEqual([]);
  expect(await idsOf({ words: '"cart.js" NOT (half' })).toEqual(["path", "entity"]);
});

test("a fact holds where its scope says", async () => {
  await store.add([
    fact("here", "one"),
    fact("there", "one", { cwd: "/v" }),
    fact("user", "one", { scope: "user", cwd: null }),
    fact("session", "one", { scope: "session" }),
  ]);
  expect(await idsOf({ cwd: "/w" })).toEqual(["user", "here"]);
  expect(await idsOf({ cwd: "/w", sessionId: session, words: "one" })).toHaveLength(3);
  expect(await idsOf({ cwd: "/w", sessionId: other })).toEqual(["user", "here"]);
  expect((await idsOf({})).toSorted()).toEqual(["here", "there", "user"]);
});

test("a fact of a known id is replaced, words and all, and a removed one is found no more", async () => {
  await store.add([fact("a", "the first words"), fact("b", "others", { at: 20 })]);
  await store.add([fact("a", "the second words", { at: 30 })]);
  expect(await idsOf({ words: "first" })).toEqual([]);
  expect(await idsOf({ words: "second" })).toEqual(["a"]);
  expect(await idsOf({})).toEqual(["a", "b"]);
  expect(await idsOf({ since: 20, until: 30 })).toEqual(["b"]);
  expect([await store.remove("a"), await store.remove("a")]).toEqual([true, false]);
  expect([await idsOf({ words: "second" }), await idsOf({})]).toEqual([[], ["b"]]);
  expect((await store.withId("", 9)).length).toBe(1);
});

test("how far a journal was read is stored with what was read, and both outlive the process", async () => {
  await store.add([fact("a", "one")], { sessionId: session, through: 7 });
  await store.addPassages(session, [{ seq: 4, part: 0, text: "the staging port is 4821" }], 9);
  await store.close();
  store = await openFactStore(folder.path("facts.db"));
  expect([await store.readThrough(session), await store.passagesThrough(session)]).toEqual([7, 9]);
  expect([await store.readThrough(other), await store.passagesThrough(other)]).toEqual([0, 0]);
  expect(await store.findPassages(session, "which port?", 5)).toEqual([{ seq: 4, part: 0 }]);
  expect(await store.findPassages(other, "which port?", 5)).toEqual([]);
  expect(await idsOf({ words: "one" })).toEqual(["a"]);
});

test("of a deleted session nothing is left in the file but what a user asked to be remembered beyond it", async () => {
  const [secret, kept] = ["zanzibar-4821", "quagmire-77"];
  await store.add(
    [
      fact("read", secret, { kind: "constraint", by: "rules" }),
      fact("own", secret, { scope: "session" }),
      fact("kept", kept),
      fact("elsewhere", "something else", { source: { sessionId: other, seq: 1 } }),
    ],
    { sessionId: session, through: 5 },
  );
  await store.addPassages(session, [{ seq: 4, part: 0, text: `it is ${secret}` }], 5);
  await store.addPassages(other, [{ seq: 1, part: 0, text: "it is something" }], 1);
  await store.forgetSession(session);
  await store.forgetSession(session);
  expect((await idsOf({})).toSorted()).toEqual(["elsewhere", "kept"]);
  expect(await store.find({ words: kept, limit: 5 })).toEqual([{ ...fact("kept", kept), source: null }]);
  expect([await store.readThrough(session), await store.passagesThrough(session)]).toEqual([0, 0]);
  // The words of another session are read again when they are next asked for.
  expect(await store.passagesThrough(other)).toBe(0);
  await store.close();
  const bytes = readFileSync(folder.path("facts.db"), "latin1");
  expect([bytes.includes("zanzibar"), bytes.includes("quagmire")]).toEqual([false, true]);
  store = await openFactStore(folder.path("facts.db"));
});

test("who has closed it neither reads nor writes any more, and everybody else does", async () => {
  const second = await openFactStore(folder.path("facts.db"));
  await second.add([fact("a", "one")]);
  await second.close();
  await expect(second.add([fact("b", "two")])).rejects.toMatchObject({ code: "storage.failed" });
  await expect(second.find({ limit: 1 })).rejects.toMatchObject({ code: "storage.failed" });
  expect(await idsOf({})).toEqual(["a"]);
});

test("two processes that open it at once both write, and only its owner reads the file", async () => {
  expect([hasFacts(folder.path("facts.db")), hasFacts(folder.path("none.db"))]).toEqual([true, false]);
  const second = await openFactStore(folder.path("facts.db"));
  await Promise.all([store.add([fact("a", "one")]), second.add([fact("b", "two")])]);
  await second.close();
  expect((await idsOf({})).toSorted()).toEqual(["a", "b"]);
  // oxlint-disable-next-line no-bitwise -- file modes are bits
  expect(statSync(folder.path("facts.db")).mode & 0o777).toBe(0o600);
});
