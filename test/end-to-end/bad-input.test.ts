import { sampled, slowTest } from "@capstan/testkit";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { usePlace } from "./stage/place.ts";
import { parseResult } from "./stage/read-output.ts";
import type { Run } from "./stage/run-capstan.ts";

const place = usePlace();

const json = ["--output-format", "json"];
/** The longest an error may be: one thing that is wrong, and one thing to do. */
const errorLimitCharacters = 600;

/** Short, for people, and said once: no stack trace, no code of ours. */
function checkError(run: Run, code: number, ...says: readonly (string | RegExp)[]): void {
  expect(run.code).toBe(code);
  expect(run.stderr).not.toMatch(/^\s+at .+:\d+|node:internal|\.js:\d+|\[object|undefined/m);
  expect(run.stderr.length).toBeLessThan(errorLimitCharacters);
  for (const words of says) expect(run.stderr).toMatch(words);
}

/** In a JSON format the last line is a result all the same. */
function checkResult(run: Run, exitCode: number, errorCode: string): void {
  expect(run.lines).toHaveLength(1);
  expect(parseResult(run)).toMatchObject({ outcome: "error", exitCode, error: { code: errorCode } });
}

/** The binary, started by a shell whose directory it removes first. */
function runWithoutDirectory(args: readonly string[]): Run {
  const gone = `${place.data}-gone`;
  const script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"';
  const env = { PATH: process.env["PATH"], HOME: place.data, CAPSTAN_HOME: place.data, ANTHROPIC_API_KEY: "rehearsal" };
  const command = [process.execPath, inject("capstanEntry"), ...args];
  const run = spawnSync("/bin/sh", ["-c", script, gone, ...command], { encoding: "utf8", env, timeout: 60_000 });
  return {
    code: run.status,
    signal: run.signal,
    stdout: run.stdout,
    stderr: run.stderr,
    lines: run.stdout.trimEnd().split("\n"),
  };
}

test("in a directory that was removed: said so, with what to do; what needs no directory works there", () => {
  for (const args of sampled([["run", "hi"], ["doctor"], ["trust", "add"]], 1))
    checkError(
      runWithoutDirectory(args),
      2,
      /directory you are in was removed.*\[usage\.workspace-missing\]\n {2}Try: cd$/m,
    );
  checkResult(runWithoutDirectory(["run", ...json, "hi"]), 2, "usage.workspace-missing");
  expect(runWithoutDirectory(["sessions", "list"])).toMatchObject({ code: 0, stdout: "No sessions yet.\n" });
  expect(runWithoutDirectory(["trust", "list"])).toMatchObject({ code: 0, stderr: "" });
});

describe("command lines", () => {
  const mistakes = [
    [["run", "--no-such-flag", "x"], "--no-such-flag"],
    [["run", "--output-format", "yaml", "x"], /--output-format takes text, json, stream-json/],
    [["run", "--timeout", "soon", "x"], "--timeout"],
    [["run", "--timeout", "0", "x"], "--timeout"],
    [["run", "--max-turns", "many", "x"], "max-turns"],
    [["run", "--max-turns", "0", "x"], "max-turns"],
    [["run", "--max-budget-usd", "-1", "x"], "max-budget-usd"],
    [["run", "--permission-mode", "godlike", "x"], "permission-mode"],
    [["run", "--strategy", "chaos", "x"], "strategy"],
    [["run", "--on-unknown", "guess", "x"], "--on-unknown"],
    [["run", "--set", "tools.nonsense=1", "x"], "tools.nonsense"],
    [["run", "--set", "tools.output.max_bytes=lots", "x"], "tools.output.max_bytes"],
    [["run", "--allow", "run_command(", "x"], /run_command\(/],
    [["run", "--preset", "nowhere", "x"], "nowhere"],
    [["run", "-m"], "--model"],
    [["modles"], "capstan models"],
    [["sessions", "frobnicate"], "frobnicate"],
    [["sessions", "show"], /no session was held in .*\n {2}Try: capstan sessions list$/m],
    [["rehearse"], "scenario"],
    [["tools", "show", "no_such_tool"], "no_such_tool"],
    [["tools", "call", "read_file", "{not json"], "JSON"],
    [["config", "explain", "tools.nonsense"], "tools.nonsense"],
  ] as const;

  test.for(sampled(mistakes, 2))("%j: exit 2, and the mistake is named", async ([args, says]) => {
    checkError(await place.run(args, { env: { ANTHROPIC_API_KEY: "rehearsal" } }), 2, says);
  });

  test.for(sampled([["--no-such-flag"], ["--max-turns"], ["--resume", "a", "--continue", "x"]], 1))(
    "%j in a JSON format: a result line all the same",
    async (args) => {
      for (const format of [["--output-format", "json"], ["--output-format=stream-json"]]) {
        const run = await place.run(["run", ...format, ...args]);
        checkError(run, 2);
        checkResult(run, 2, "usage.invalid");
      }
    },
  );

  const questions = [["--help"], ["help"], ["run", "--help"], ["sessions", "--help"], ["version"], ["--version"]];

  test.for(sampled(questions, 1))("%j: help and version are no mistakes", async (args) => {
    const run = await place.run(args);
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
    expect(run.stdout).toContain("capstan");
  });

  slowTest("version --json is for machines", async () => {
    const run = await place.run(["version", "--json"]);
    expect(JSON.parse(run.stdout)).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: process.versions.node,
    });
    expect((await place.run(["--json", "version"])).code).toBe(2);
  });
});

describe("models", () => {
  test("without any key: how to set one, and nothing is created", async () => {
    const run = await place.run(["run", ...json, "hi"]);
    checkError(run, 2, "ANTHROPIC_API_KEY");
    checkResult(run, 2, "model.none");
    expect(existsSync(place.data)).toBe(false);
  });

  slowTest("a named model without its key: which variable to set, before anything is asked", async () => {
    const run = await place.run(["run", ...json, "-m", "anthropic/claude-sonnet-4-5", "hi"]);
    checkError(run, 2, "ANTHROPIC_API_KEY");
    checkResult(run, 2, "provider.auth");
  });

  test.for(sampled(["nobody/some-model", "just-a-name", "anthropic/", "/x", ""], 1))(
    "%j names no model",
    async (model) => {
      const run = await place.run(["run", ...json, "-m", model, "hi"], { env: { ANTHROPIC_API_KEY: "rehearsal" } });
      checkError(run, 2);
      checkResult(run, 2, "model.unknown");
    },
  );

  slowTest("plain http to another machine is refused", async () => {
    const env = { ANTHROPIC_API_KEY: "rehearsal", ANTHROPIC_BASE_URL: "http://192.0.2.1" };
    checkError(await place.run(["run", "-m", "anthropic/x", "hi"], { env }), 2, "https");
  });

  test("nobody listens at the base URL: the provider failed", async () => {
    const env = { ANTHROPIC_API_KEY: "rehearsal", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
    const run = await place.run(["run", ...json, "-m", "anthropic/x", "--set", "retry.base_delay_ms=1", "hi"], { env });
    checkError(run, 5);
    expect(parseResult(run)).toMatchObject({
      outcome: "provider-failed",
      draft: "hi",
      error: { code: "provider.network" },
    });
  });

  slowTest("another kind of server at the base URL: the provider failed, with a hint of why", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<html>hi</html>");
    }).listen(0, "127.0.0.1");
    place.onClose(() => server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const env = { ANTHROPIC_API_KEY: "rehearsal", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
    const run = await place.run(["run", ...json, "-m", "anthropic/x", "--set", "retry.base_delay_ms=1", "hi"], { env });
    checkError(run, 5);
    expect(parseResult(run)).toMatchObject({ outcome: "provider-failed", draft: "hi" });
  });
});

describe("configuration", () => {
  const keyed = { env: { ANTHROPIC_API_KEY: "rehearsal" } };

  test.for(
    sampled(
      [
        ["[app\nmodel = 1", "config.syntax", /config\.toml:1/],
        ["[app]\nmodel = 1\n", "config.invalid", /config\.toml:2.*app\.model/],
        ["[app]\nmodle = 'x'\n", "config.invalid", /config\.toml:2.*modle/],
        ["# fine\n\n[tools.output]\nmax_bytes = -1\n", "config.invalid", /config\.toml:4.*max_bytes/],
        [
          "[api_keys]\nanthropic = '${NOT_SET_ANYWHERE}'\n",
          "config.variable-missing",
          /config\.toml:2.*NOT_SET_ANYWHERE/,
        ],
        ["[permissions]\nallow = ['run_command(']\n", "config.invalid", /config\.toml:2.*run_command/],
        ["[tools]\nprofile = 'claude'\n", "config.invalid", /config\.toml:2: tools\.profile: expected one of auto/],
        [
          "[sandbox]\nbuild_folders = 'out'\n",
          "config.invalid",
          /config\.toml:2: sandbox\.build_folders: expected a list/,
        ],
        ["[sandbox]\nbuild_folders = ['out', '']\n", "config.invalid", /config\.toml:2: sandbox\.build_folders/],
        [
          "[network]\nanswer_timeout_seconds = 0\n",
          "config.invalid",
          /config\.toml:2: network\.answer_timeout_seconds: expected a number from 0\.1/,
        ],
        ["[app]\ntui = 'both'\n", "config.invalid", /config\.toml:2: app\.tui: expected one of inline, full/],
      ] as const,
      1,
    ),
  )("%j stops the start with %s", async ([text, code, says]) => {
    configure(text);
    const run = await place.run(["run", ...json, "-m", "anthropic/x", "hi"], keyed);
    checkError(run, 2, says);
    checkResult(run, 2, code);
    checkError(await place.run(["config", "validate"], keyed), 2, says);
  });

  slowTest("a configuration that is not a file, or not text, is named", async () => {
    mkdirSync(join(place.data, "config.toml"), { recursive: true });
    checkError(await place.run(["run", "-m", "anthropic/x", "hi"], keyed), 2, "config.toml");
  });

  test("a configuration that may not be read is named", async ({ skip }) => {
    if (process.getuid?.() === 0) skip("root may read everything");
    configure("[app]\n");
    chmodSync(join(place.data, "config.toml"), 0);
    checkError(await place.run(["run", "-m", "anthropic/x", "hi"], keyed), 2, "config.toml");
  });

  slowTest("--config names a file that must exist", async () => {
    const run = await place.run(["run", ...json, "--config", "missing.toml", "hi"], keyed);
    checkError(run, 2, "missing.toml");
    checkResult(run, 2, "config.unreadable");
  });

  test("--safe-mode starts in spite of a broken file", async () => {
    configure("[app\n");
    const stage = await place.rehearse("anthropic", [{ text: "hi" }]);
    expect((await stage.run(["--safe-mode", "go"])).stdout).toBe("hi\n");
  });
});

describe("places", () => {
  const keyed = { env: { ANTHROPIC_API_KEY: "rehearsal" } };

  test("a workspace that is missing, or is a file", async () => {
    place.write("file.txt", "x");
    for (const cwd of sampled(["missing", "file.txt", ""], 1)) {
      const run = await place.run(["run", ...json, "-C", cwd, "-m", "anthropic/x", "hi"], keyed);
      checkError(run, 2);
      checkResult(run, 2, "usage.workspace-missing");
    }
  });

  slowTest.for(["/dev/null/x", "/proc/nowhere"])("a home that cannot be made: %s", async (home) => {
    const env = { ...keyed.env, CAPSTAN_HOME: home };
    const run = await place.run(["run", ...json, "-m", "anthropic/x", "hi"], { env });
    checkError(run, 1, home, "CAPSTAN_HOME");
    checkResult(run, 1, "storage.unavailable");
    checkError(await place.run(["sessions", "list"], { env }), 1, home);
  });

  test("a database that is garbage is left alone", async () => {
    mkdirSync(place.data);
    const garbage = "this is no database\n".repeat(500);
    writeFileSync(join(place.data, "capstan.db"), garbage);
    const stage = await place.rehearse("anthropic", [{ text: "hi" }]);
    const run = await stage.run([...json, "go"]);
    checkError(run, 1, "capstan.db");
    checkResult(run, 1, "storage.corrupt");
    expect(readFileSync(join(place.data, "capstan.db"), "utf8")).toBe(garbage);
    expect(stage.exchanges).toEqual([]);
  });

  slowTest("a database of a newer version is left alone", async () => {
    const stage = await place.rehearse("anthropic", [{ text: "hi" }, { text: "never" }]);
    await stage.run(["go"]);
    setUserVersion(join(place.data, "capstan.db"), 9999);
    const before = readFileSync(join(place.data, "capstan.db"));
    const run = await stage.run([...json, "--continue", "go"]);
    checkError(run, 1, "newer");
    checkResult(run, 1, "storage.newer-version");
    expect(readFileSync(join(place.data, "capstan.db")).equals(before)).toBe(true);
    expect(stage.exchanges).toHaveLength(1);
  });

  slowTest(
    "a full disk: the run ends with its result, and the session continues when there is room again",
    async ({ skip }) => {
      const disk = join(place.folder, "disk");
      mkdirSync(disk);
      const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).status === 0;
      if (!mounted) skip("a small disk cannot be mounted here");
      place.onClose(() => spawnSync("umount", ["-l", disk]));
      const env = { CAPSTAN_HOME: join(disk, "home") };
      const stage = await place.rehearse("anthropic", [
        { text: "first" },
        { text: "many words ".repeat(200_000) },
        { text: "few words" },
        { text: "last" },
      ]);
      expect((await stage.run(["go"], { env })).stdout).toBe("first\n");
      const run = await stage.run([...json, "--continue", "write a lot"], { env });
      checkError(run, 1);
      checkResult(run, 1, "storage.full");
      expect(spawnSync("mount", ["-o", "remount,size=64m", disk]).status).toBe(0);
      // The broken turn is taken up again first, then the new words.
      expect((await stage.run(["--continue", "again"], { env })).stdout).toBe("last\n");
      expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    },
  );
});

describe("rehearse", () => {
  const faulty = [
    ["odd.json", '{"name": "x", "turns": [{"txt": "x"}]}', /turns\[0\]\.txt/],
    ["missing.json", undefined, "missing.json"],
    ["broken.json", "{", "broken.json"],
    ["empty.json", '{"name": "x", "turns": []}', "turns"],
  ] as const;

  test.for(sampled(faulty, 1))("%s: exit 2, and file and field are named", async ([file, content, says]) => {
    if (content !== undefined) place.write(file, content);
    checkError(await place.run(["rehearse", file]), 2, file, says);
  });

  slowTest("a port that is taken is named", async () => {
    const { port } = new URL((await place.rehearse("anthropic", [{ text: "x" }])).env["ANTHROPIC_BASE_URL"] ?? "");
    place.write("fine.json", '{"name": "x", "turns": [{"text": "hi"}]}');
    checkError(await place.run(["rehearse", "fine.json", "--port", port]), 1, port, "in use");
    checkError(await place.run(["rehearse", "fine.json", "--port", "high"]), 2, "--port");
  });

  test("serves until it is interrupted, and a run can talk to it", async () => {
    place.write("fine.json", '{"name": "x", "turns": [{"text": "hi"}]}');
    const server = place.start(["rehearse", "fine.json"]);
    let url = "";
    await server.stdoutMatches({ test: (text: string) => (url = /at (http:\S+)/.exec(text)?.[1] ?? "") !== "" });
    const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "rehearsal" };
    expect((await place.run(["run", "-m", "anthropic/x", "go"], { env })).stdout).toBe("hi\n");
    server.kill("SIGINT");
    expect((await server.ended).code).toBe(0);
  });
});

function configure(text: string): void {
  mkdirSync(place.data, { recursive: true });
  writeFileSync(join(place.data, "config.toml"), text);
}

/** Where SQLite's file format keeps the number: bytes 60 to 63 of the header. */
function setUserVersion(database: string, version: number): void {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(version);
  writeSync(openSync(database, "r+"), bytes, 0, 4, 60);
}
