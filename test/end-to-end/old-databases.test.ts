/** Databases that earlier versions of Capstan wrote, each by its own real binary, are opened, shown and resumed. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { conversation, evolve, initialState } from "@capstan/session";
import { isJsonObject } from "@capstan/protocol";
import { openSqliteStore } from "@capstan/storage";
import { sampled } from "@capstan/testkit";
import { expect, test } from "vitest";
import { type Place, usePlace } from "./stage/place.ts";
import { parseResult } from "./stage/read-output.ts";

const place = usePlace();
const fixtures = join(import.meta.dirname, "../../adapters/storage/test/fixtures");
/** Where the sessions of the fixtures were begun. */
const sessionsFolder = "/tmp/capstan-fixture/shop";

/** Puts the database of a schema version where the binary looks for its own. */
function put({ data }: Place, version: number): string {
  mkdirSync(data, { mode: 0o700 });
  const path = join(data, "capstan.db");
  writeFileSync(path, gunzipSync(readFileSync(join(fixtures, `schema-${version}.db.gz`))), { mode: 0o600 });
  return path;
}

/** What the version that wrote it made of each session. */
function conversationsThen(version: number): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(readFileSync(join(fixtures, `schema-${version}.conversations.json`), "utf8"));
  return isJsonObject(parsed) ? parsed : {};
}

test.each([1, 2, 3])(
  "a database of schema %i is migrated after a backup, whole, and says what it said",
  async (version) => {
    const path = put(place, version);
    const then = conversationsThen(version);
    const store = await openSqliteStore({ path });
    const ids = (await store.list()).map(({ id }) => id).toSorted();
    expect(ids).toEqual(Object.keys(then));
    expect(ids.length).toBeGreaterThan(2);
    for (const id of ids) {
      /* oxlint-disable no-await-in-loop -- one session after the other */
      expect(await store.check(id)).toEqual([]);
      const records = (await store.read(id, 0)).map((event) => event.record);
      expect(conversation(records.reduce(evolve, initialState))).toEqual(then[id]);
      /* oxlint-enable no-await-in-loop */
    }
    expect((await store.changedSince(0)).sessions.length).toBe(ids.length);
    expect((await store.pendingInteractions()).length).toBe(version === 3 ? 1 : 0);
    await store.close();
    expect(readdirSync(join(place.data, "backups"))).toEqual([
      expect.stringMatching(new RegExp(`^capstan-v${version}-`, "u")) as unknown,
    ]);
  },
);

test.each(sampled([1, 2, 3], 1))(
  "every session of a database of schema %i is resumed with a request that the vendor takes",
  async (version) => {
    put(place, version);
    // A session works in its own folder: it must be there again.
    mkdirSync(sessionsFolder, { recursive: true });
    const ids = Object.keys(conversationsThen(version));
    const answers = Array.from({ length: 3 * ids.length }, (_, number) => ({ text: `answer ${number}` }));
    const stage = await place.rehearse("anthropic", answers);
    for (const id of ids) {
      // oxlint-disable-next-line no-await-in-loop -- one session after the other
      const run = await stage.run([
        "--output-format",
        "json",
        "--on-unknown",
        "tell-model",
        "--resume",
        id,
        "continue",
      ]);
      expect({ id, code: run.code, outcome: parseResult(run)["outcome"] }).toEqual({ id, code: 0, outcome: "done" });
      expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("continue");
    }
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  },
);
