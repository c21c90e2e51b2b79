import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSqlite } from "../../../adapters/storage/src/sqlite/database.ts";
import { usePlace } from "../stage/place.ts";
import type { Run } from "../stage/run-capstan.ts";

const place = usePlace();

/** Moves the cursor, sets the title, turns text around, ends lines early. */
const hostile = "a\u001B[2Jb\u001B]0;title\u0007c\u202Ed\u0000e\u009Bf\r✓ all good\rg";
const alive = new RegExp(String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]`, "u");

test("hostile words, names and output are inert in everything that people are shown of a session", async () => {
  const command = String.raw`printf 'x\033[2Jy\000\342\200\256z\r'; echo > "$(printf 'n\033[2Jl\nforged')"; head -c 200000 /dev/zero | tr '\0' x`;
  const stage = await place.rehearse("anthropic", [
    {
      text: hostile,
      tool_calls: [
        { name: "write_file", arguments: { path: "e\u001B[31mvil\u202E.txt", content: hostile } },
        { name: "run_command", arguments: { command } },
      ],
    },
    { text: hostile },
  ]);
  const title = hostile.replace("\u0000", "");
  const shown: Run[] = [await stage.run(["--yolo", "--session-id", "s", title])];
  for (const args of [
    ["sessions", "list"],
    ["sessions", "show", "s"],
    ["sessions", "export", "s", "--format", "markdown"],
    ["audit", "export", "s"],
    ["audit", "verify", "s"],
    ["doctor", "s"],
    ["sessions", "undo", "s"],
    ["sessions", "redo", "s"],
    ["doctor", hostile.replace("\u0000", "")],
  ]) {
    shown.push(await place.run(args));
  }
  expect(shown.map((run) => run.code)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  expect(shown.filter(({ stdout, stderr }) => alive.test(stdout) || alive.test(stderr))).toEqual([]);
});

test("the end of an interrupted command's output cannot pass for a line of ours", async () => {
  const forged = "— done · 0 model calls";
  const command = `printf '\\n${forged}\\n'; echo started; sleep 600`;
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [{ name: "run_command", arguments: { command } }] },
    { text: "here" },
    { text: "there" },
  ]);
  const running = stage.start(["--output-format", "stream-json", "--yolo", "--session-id", "s", "go"]);
  await running.stdoutMatches(/started\\n"/);
  running.kill("SIGKILL");
  await running.ended;
  const run = await stage.run(["--yolo", "--resume", "s", "--on-unknown", "tell-model", "continue"]);
  expect(run.stderr).toContain(forged);
  expect(run.stderr.split("\n").filter((line) => line.startsWith(forged))).toEqual([]);
});

test("an exported session comes back with all that was said, and continues; a cut or changed file is refused whole", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }, { text: "three" }]);
  await stage.run(["--session-id", "s", "first words"]);
  await place.run(["sessions", "export", "s", "-o", "s.jsonl"]);
  await place.run(["sessions", "delete", "s", "--yes"]);
  const file = place.read("s.jsonl");
  place.write("cut.jsonl", file.slice(0, -200));
  place.write("changed.jsonl", file.replace("first words", "other words"));
  for (const name of ["cut.jsonl", "changed.jsonl", ".", "missing", "/dev/null"]) {
    expect({ name, code: (await place.run(["sessions", "import", name])).code }).toEqual({ name, code: 1 });
  }
  expect((await place.run(["sessions", "list"])).stdout).toBe("No sessions yet.\n");
  expect((await place.run(["sessions", "import", "s.jsonl"])).code).toBe(0);
  expect((await place.run(["sessions", "show", "s"])).stdout).toContain("first words");
  expect((await stage.run(["--resume", "s", "second words"])).stdout).toBe("two\n");
  expect(JSON.stringify(stage.exchanges[1]?.body)).toContain("first words");
});

test.each([
  ["a record that is damaged", "UPDATE events SET body = '{' WHERE seq = 4"],
  ["an end that was removed", "DELETE FROM events WHERE seq >= 4"],
])("%s is reported with the command that helps, which leads to a session that continues", async (_what, change) => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  await stage.run(["--session-id", "s", "first words"]);
  const database = new (loadSqlite())(join(place.data, "capstan.db"), { timeout: 1000, defensive: false });
  database.exec(change);
  database.close();
  // One after the other: of two at once, one may be refused because the other has the session.
  const refused = [await place.run(["sessions", "undo", "s"]), await stage.run(["--resume", "s", "more"])];
  expect(refused.map((run) => [run.code, run.stderr.includes("`capstan doctor ")])).toEqual([
    [1, true],
    [1, true],
  ]);
  expect((await place.run(["doctor", "s"])).code).toBe(1);
  const repaired = await place.run(["doctor", "s", "--repair"]);
  const id = /The new session (\w+)/.exec(repaired.stdout)?.[1] ?? "";
  expect((await place.run(["doctor", id])).code).toBe(0);
  expect((await stage.run(["--resume", id, "more"])).stdout).toBe("two\n");
});

test("what names no session, or no number, is a usage error and changes nothing", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  await stage.run(["--session-id", "same-1", "x"]);
  await stage.run(["--session-id", "same-2", "x"]);
  const before = (await place.run(["sessions", "list", "--json"])).stdout;
  const commands = [
    ["sessions", "undo"],
    ["sessions", "delete", "--yes"],
    ["sessions", "fork"],
    ["audit", "verify"],
  ];
  for (const command of commands) {
    for (const id of ["", "same", "nothing"]) {
      expect({ command, id, code: (await place.run([...command, id])).code }).toEqual({ command, id, code: 2 });
    }
  }
  for (const limit of ["0", "-1", "x", ""]) {
    expect({ limit, code: (await place.run(["sessions", "list", `--limit=${limit}`])).code }).toEqual({
      limit,
      code: 2,
    });
  }
  expect((await place.run(["sessions", "list", "--json"])).stdout).toBe(before);
});

test("a data directory that cannot be used says so, and is left as it is", async () => {
  const folder = join(place.folder, "other");
  mkdirSync(join(folder, "capstan.db"), { recursive: true });
  const file = join(place.folder, "file");
  writeFileSync(file, "mine");
  for (const home of [folder, file]) {
    const run = await place.run(["sessions", "undo", "x"], { env: { CAPSTAN_HOME: home } });
    expect({ code: run.code, text: run.stderr }).toEqual({ code: 1, text: expect.stringContaining("[storage.") });
  }
});
