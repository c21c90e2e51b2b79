import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { toSessionId } from "@capstan/protocol";
import { openSqliteStore } from "@capstan/storage";
import { expect, test } from "vitest";
import { longSession } from "../../bench/long-journal.ts";
import { usePlace } from "./stage/place.ts";

const place = usePlace();

/** MB for all objects of a process: less than the session has text, which is 66 MB as a file. */
const heapMb = 64;
const turns = 6000;
const limitMs = 240_000;

test(
  "a session that is longer than the memory for it is shown, checked, exported and imported",
  { timeout: limitMs },
  async () => {
    mkdirSync(place.data, { recursive: true, mode: 0o700 });
    const store = await openSqliteStore({ path: join(place.data, "capstan.db") });
    await store.restore(toSessionId("long"), longSession(turns));
    await store.close();
    const env = { NODE_OPTIONS: `--max-old-space-size=${heapMb}`, ANTHROPIC_API_KEY: "key-that-opens-nothing" };
    const file = join(place.folder, "long.jsonl");
    const shown = await place.run(["sessions", "show", "long"], { env });
    expect([shown.code, shown.lines.includes(`Turn ${turns}:`)]).toEqual([0, true]);
    const checked = await place.run(["doctor", "long"], { env });
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining(`${turns} turns`)]);
    expect((await place.run(["sessions", "export", "long", "-o", file], { env })).code).toBe(0);
    const imported = await place.run(["sessions", "import", file, "--as", "copy", "--json"], { env });
    expect(JSON.parse(imported.stdout)).toMatchObject({ turns, calls: turns });
    expect((await place.run(["doctor", "copy"], { env })).code).toBe(0);
    const again = await place.run(["sessions", "import", file, "--as", "copy"], { env });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("exists already")]);
  },
);
