import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { loadSqlite } from "../../adapters/storage/src/sqlite/database.ts";
import { models, usePlace } from "./stage/place.ts";

const place = usePlace();

test("doctor finds a good installation good, and a missing key is the only thing it asks for", async () => {
  const without = await place.run(["doctor"]);
  expect({ code: without.code, bad: without.lines.filter((line) => line.startsWith("✗")) }).toEqual({
    code: 1,
    bad: ["✗ keys: none is set"],
  });
  const env = { ANTHROPIC_API_KEY: "key-that-opens-nothing" };
  const run = await place.run(["doctor"], { env });
  expect({ code: run.code, shown: run.stdout.includes(env.ANTHROPIC_API_KEY) }).toEqual({ code: 0, shown: false });
});

test("a session that was tampered with is found out, repaired into a new one, and continues", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }, { text: "three" }]);
  await stage.run(["--session-id", "first", "the first words"]);
  await stage.run(["--resume", "first", "the second words"]);
  const database = new (loadSqlite())(join(place.data, "capstan.db"), { timeout: 1000, defensive: false });
  database.exec("UPDATE events SET body = replace(body, 'second words', 'secret words')");
  database.close();
  const found = await place.run(["doctor", "first"]);
  expect({ code: found.code, text: found.stdout }).toEqual({ code: 1, text: expect.stringContaining("broken chain") });
  expect((await place.run(["audit", "verify", "first"])).code).toBe(1);
  const repaired = await place.run(["doctor", "first", "--repair"]);
  const id = /The new session (\w+)/.exec(repaired.stdout)?.[1] ?? "";
  expect({ code: repaired.code, text: repaired.stdout }).toEqual({ code: 0, text: expect.stringContaining("backups") });
  expect((await place.run(["doctor", id])).code).toBe(0);
  expect((await stage.run(["--resume", id, "more words"])).stdout).toBe("three\n");
  const sent = JSON.stringify(stage.exchanges[2]?.body);
  expect([sent.includes("the first words"), sent.includes("secret words")]).toEqual([true, false]);
  expect((await place.run(["doctor", "first"])).code).toBe(1);
});

slowTest(
  "who opens a session that was tampered with learns it, each time, and one that was not is opened silently",
  async () => {
    const stage = await place.rehearse(
      "anthropic",
      ["one", "two", "three", "four"].map((text) => ({ text })),
    );
    await stage.run(["--session-id", "first", "the first words"]);
    const whole = await stage.run(["--resume", "first", "the second words"]);
    const database = new (loadSqlite())(join(place.data, "capstan.db"), { timeout: 1000, defensive: false });
    database.exec("UPDATE events SET body = replace(body, 'second words', 'secret words')");
    database.close();
    const resumed = await stage.run(["--resume", "first", "more words"]);
    const latest = await stage.run(["-c", "and more"]);
    const says = /Session first is not as Capstan wrote it: .*does not follow.* Try `capstan doctor first`/;
    expect([whole, resumed, latest].map(({ code, stderr }) => [code, says.test(stderr)])).toEqual([
      [0, false],
      [0, true],
      [0, true],
    ]);
    expect([resumed.stdout, latest.stdout]).toEqual(["three\n", "four\n"]);
    const program = place.start(["embed", "-m", models.anthropic], { env: stage.env, holdInput: true });
    const submission = { type: "title", title: "Changed" };
    const opening = { id: "1", op: "sessions.open", params: { sessionId: "first" } };
    const request = { id: "2", op: "submit", params: { sessionId: "first", submission } };
    program.write(`${JSON.stringify(opening)}\n`);
    await program.stdoutMatches(/^\{"id":"1","ok":true/m);
    program.write(`${JSON.stringify(request)}\n`);
    await program.stdoutMatches(/^\{"id":"2","ok":true/m);
    const attached = place.start(["sessions", "attach", "first"], { env: stage.env, holdInput: true });
    await attached.stdoutMatches(/four[^]*Session first is not as Capstan wrote it/);
    attached.kill("SIGINT");
    await attached.ended;
    program.endInput();
    expect((await program.ended).code).toBe(0);
  },
);

slowTest("a session that is healthy is not repaired, and one that is not there is a usage error", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }]);
  await stage.run(["--session-id", "first", "the first words"]);
  expect((await place.run(["doctor", "first", "--repair"])).stderr).toContain("nothing was repaired");
  expect((await place.run(["sessions", "list"])).lines).toHaveLength(1);
  expect((await place.run(["doctor", "nothing"])).code).toBe(2);
  const whole = await place.run(["doctor", "--repair"]);
  expect(whole).toMatchObject({ code: 0, stdout: "The database is whole: nothing was repaired.\n" });
});

slowTest(
  "a damaged database is repaired in its place, its sessions continue, and a second repair changes nothing",
  async () => {
    const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }, { text: "three" }]);
    await stage.run(["--session-id", "first", "the first words"]);
    await stage.run(["--session-id", "second", "the second words"]);
    const path = join(place.data, "capstan.db");
    const content = readFileSync(path);
    // The first page names all tables.
    writeFileSync(path, content.fill(0, 0, 4096));
    const found = await place.run(["doctor"]);
    expect({ code: found.code, text: found.stdout }).toEqual({
      code: 1,
      text: expect.stringContaining("capstan doctor --repair"),
    });
    const repaired = await place.run(["doctor", "--repair"]);
    expect({ code: repaired.code, text: repaired.stdout }).toEqual({
      code: 0,
      text: expect.stringContaining("backups"),
    });
    expect((await place.run(["sessions", "export", "first"])).stdout).toContain("the first words");
    expect((await place.run(["doctor", "second"])).code).toBe(0);
    expect((await stage.run(["--resume", "second", "more words"])).stdout).toBe("three\n");
    expect((await place.run(["doctor", "--repair"])).stdout).toBe("The database is whole: nothing was repaired.\n");
  },
);

slowTest(
  "doctor counts what is stored: what a killed turn left open is open, and is closed once the session went through",
  async () => {
    const fault = { type: "stall", after_bytes: 2000 };
    const stage = await place.rehearse("anthropic", [
      { text: "one" },
      { text: "word ".repeat(100), fault },
      { text: "two" },
    ]);
    await stage.run(["--session-id", "first", "the first words"]);
    const running = stage.start(["--output-format", "stream-json", "--session-id", "second", "the second words"]);
    await running.stdoutMatches(/"text-delta"/);
    running.kill("SIGKILL");
    await running.ended;
    const open = await place.run(["doctor", "--statistics", "--json"]);
    const shown = (await place.run(["sessions", "show", "first", "--json"])).lines.length;
    expect(JSON.parse(open.stdout)).toMatchObject({
      sessions: [
        { sessionId: "second", openSteps: 1, callsWithoutOutcome: 0 },
        { sessionId: "first", records: shown, openSteps: 0, pendingPieces: 0 },
      ],
      total: { sessions: 2, openSteps: 1, unreadable: 0 },
    });
    expect(JSON.parse(open.stdout).total.pendingPieces).toBeGreaterThan(0);
    expect((await stage.run(["--resume", "second", "more words"])).code).toBe(0);
    const closed = await place.run(["doctor", "--statistics"]);
    expect({ code: closed.code, rows: closed.lines.map((line) => line.trim().split(/\s{2,}/)) }).toEqual({
      code: 0,
      rows: [
        ["session", "records", "pieces", "open steps", "open calls", "unreadable", "bytes", "compressed"],
        ["second", expect.any(String), "0", "0", "0", "0", expect.any(String), "0"],
        ["first", String(shown), "0", "0", "0", "0", expect.any(String), "0"],
        ["2 sessions", expect.any(String), "0", "0", "0", "0", expect.any(String), "0"],
      ],
    });
    const one = await place.run(["doctor", "fir", "--statistics", "--json"]);
    expect(JSON.parse(one.stdout)).toMatchObject({ sessions: [{ sessionId: "first" }], total: { sessions: 1 } });
  },
);

slowTest("doctor counts nothing where nothing is stored, and refuses to count and to repair at once", async () => {
  const nothing = await place.run(["doctor", "--statistics", "--json"]);
  expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('"sessions":[]') });
  const both = await place.run(["doctor", "--statistics", "--repair"]);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("[usage.invalid]") });
  expect((await place.run(["doctor", "nothing", "--statistics"])).code).toBe(2);
});
