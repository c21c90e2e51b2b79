import { slowTest } from "@capstan/testkit";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ToolResult } from "@capstan/ports";
import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { commandEnvironment } from "../../src/run-command/environment/command-environment.ts";
import { type CommandPlace, commandPlace } from "./call-command.ts";

/** Everything but what differs from run to run. */
function essence(result: ToolResult): unknown {
  const content = result.content.replace(/\(\d+\.\d s\)/, "(T s)");
  return { status: result.status, content };
}

async function outcome(args: JsonObject): Promise<unknown> {
  return essence(await commandPlace().call(args));
}

function spillFile(result: ToolResult): string {
  const path = details(result)["spillFile"];
  return typeof path === "string" ? path : "no spill file";
}

function details(result: ToolResult): JsonObject {
  if (!isJsonObject(result.details)) throw new Error("the result has no details");
  return result.details;
}

/** Live processes whose group is the given one; zombies do not count. */
function processesOfGroup(group: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ");
        return fields[0] !== "Z" && Number(fields[2]) === group;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The group a command wrote down as its first act. */
function groupOf(place: CommandPlace): number {
  return Number(readFileSync(join(place.workspace.cwd, "group"), "utf8"));
}

async function untilExists(path: string): Promise<void> {
  for (;;) {
    try {
      if (readFileSync(path, "utf8").endsWith("\n")) return;
    } catch {
      // Not yet.
    }
    await delay(5);
  }
}

describe("how a command ends is the first line of its result", () => {
  test.each<[string, JsonObject, unknown]>([
    ["success", { argv: ["true"] }, "Exit code: 0 (T s)\n[no output]"],
    ["an exit code keeps the output", { command: "echo one; exit 3" }, "Exit code: 3 (T s)\none\n"],
    ["a signal", { command: "echo two; kill -SEGV $$" }, "Ended by signal SIGSEGV (T s)\ntwo\n"],
    ["255", { command: "exit 255" }, "Exit code: 255 (T s)\n[no output]"],
    ["no line end", { argv: ["printf", "abc"] }, "Exit code: 0 (T s)\nabc"],
    ["a script that begins with a sign", { command: "-x" }, expect.stringContaining("Exit code: 127")],
    ["a shell error", { command: "echo 'open" }, expect.stringContaining("unexpected EOF")],
  ])("%s", async (_name, args, content) => {
    expect(await outcome(args)).toEqual({ status: "ok", content });
  });

  test("both streams are in the result, and counted", async () => {
    const result = await commandPlace().call({ command: "echo out; echo err >&2; exit 4" });
    expect(details(result)).toMatchObject({
      exitCode: 4,
      signal: null,
      stdoutBytes: 4,
      stderrBytes: 4,
      truncated: false,
    });
    expect(result.content).toMatch(/^Exit code: 4 \(\d+\.\d s\)\n(out\nerr\n|err\nout\n)$/);
  });
});

describe("arguments reach the program as they are", () => {
  test.each<[string, readonly string[]]>([
    ["blanks and quotes", ["a b", "it's", '"', "$HOME", "`id`", "*", "~"]],
    ["line breaks and nothing", ["a\nb", "", "\t"]],
    ["options and other scripts", ["--", "-n", "ünï", "日本", "👩‍👩‍👧"]],
  ])("%s", async (_name, words) => {
    expect(await outcome({ argv: ["printf", "[%s]", ...words] })).toEqual({
      status: "ok",
      content: `Exit code: 0 (T s)\n${words.map((word) => `[${word}]`).join("")}`,
    });
  });
});

describe("output of any kind arrives", () => {
  test.each<[string, JsonObject, string]>([
    ["invalid bytes become U+FFFD", { argv: ["printf", "a\\377b"] }, "Exit code: 0 (T s)\na\uFFFDb"],
    ["a character cut off at the end", { argv: ["printf", "a\\303"] }, "Exit code: 0 (T s)\na\uFFFD"],
    ["NUL is visible", { argv: ["printf", "a\\0b"] }, "Exit code: 0 (T s)\na␀b"],
    [
      "a character split over two writes is put together",
      { command: "printf '\\303'; sleep 0.1; printf '\\251'; printf '\\360\\237'; sleep 0.1; printf '\\230\\200'" },
      "Exit code: 0 (T s)\né😀",
    ],
    [
      "/dev/stdout can be opened",
      { command: "echo a > /dev/stdout; echo b > /dev/stdout" },
      "Exit code: 0 (T s)\na\nb\n",
    ],
    ["/dev/stderr can be opened", { command: "echo c > /dev/stderr" }, "Exit code: 0 (T s)\nc\n"],
    ["standard input is empty", { argv: ["cat"] }, "Exit code: 0 (T s)\n[no output]"],
  ])("%s", async (_name, args, content) => {
    expect(await outcome(args)).toEqual({ status: "ok", content });
  });

  test("people see it while it runs", async () => {
    const place = commandPlace();
    await place.call({ command: "echo one; echo two >&2; echo three" });
    expect(
      place.shown
        .map(({ text }) => text)
        .join("")
        .split("\n")
        .toSorted(),
    ).toEqual(["", "one", "three", "two"]);
  });
});

describe("a command that cannot start is a failed result", () => {
  test.each<[string, JsonObject, string]>([
    ["missing program", { argv: ["no-such-program-here"] }, 'There is no program "no-such-program-here"'],
    ["not executable", { argv: ["./plain"] }, '"./plain" is not executable'],
    ["a directory", { argv: ["/"] }, '"/" is not executable'],
    ["arguments too long", { argv: ["true", "x".repeat(3_000_000)] }, 'The arguments for "true" are too long'],
  ])("%s", async (_name, args, beginning) => {
    const place = commandPlace();
    writeFileSync(join(place.workspace.cwd, "plain"), "text", { mode: 0o644 });
    const result = await place.call(args);
    expect({ ...result, content: result.content.slice(0, beginning.length) }).toEqual({
      status: "failed",
      code: "tool.failed",
      content: beginning,
    });
  });

  test("a directory that was removed or swapped after the check is not used", async () => {
    const place = commandPlace();
    const inside = join(place.workspace.cwd, "inside");
    for (const swap of [() => undefined, () => symlinkSync("/", inside)]) {
      mkdirSync(inside);
      const racing = place.call(
        { command: "pwd", cwd: "inside" },
        swapOnUse(() => {
          rmSync(inside, { recursive: true });
          swap();
        }),
      );
      expect(await racing).toMatchObject({ status: "failed", content: expect.stringContaining("no longer there") });
      rmSync(inside, { recursive: true, force: true });
    }
  });
});

/** A signal whose first look happens after the check and before the use. */
function swapOnUse(swap: () => void): AbortSignal {
  const { signal } = new AbortController();
  let done = false;
  return new Proxy(signal, {
    get: (target, key) => {
      if (!done) swap();
      done = true;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("the environment is the given one, what keeps a command from waiting, the mark of the run, and nothing else", () => {
  test("no variable of this process is visible", async () => {
    process.env["CAPSTAN_TEST_CANARY_TOKEN"] = "canary-4711";
    try {
      const environment = { PATH: "/usr/bin:/bin", GREETING: "hi" };
      const result = await commandPlace({ environment }).call({ argv: ["env"] });
      const unattended = Object.entries(commandEnvironment({}, { type: "none" }));
      const lines = unattended.map(([name, value]) => `${name}=${value}\n`).join("");
      expect(essence(result)).toEqual({
        status: "ok",
        content: expect.stringMatching(
          new RegExp(
            `^Exit code: 0 \\(T s\\)\n${lines}PATH=/usr/bin:/bin\nGREETING=hi\nCAPSTAN_RUN=[0-9a-z-]{35,50}\n$`,
          ),
        ),
      });
    } finally {
      delete process.env["CAPSTAN_TEST_CANARY_TOKEN"];
    }
  });

  test("no descriptor of this process is inherited", async () => {
    const result = await commandPlace().call({ argv: ["ls", "/proc/self/fd"] });
    // What our own parent left open for all its children is not ours.
    const bare = spawnSync("ls", ["/proc/self/fd"], { encoding: "utf8" });
    expect(essence(result)).toEqual({ status: "ok", content: `Exit code: 0 (T s)\n${bare.stdout}` });
  });

  test("it runs where it was asked to", async () => {
    const place = commandPlace();
    mkdirSync(join(place.workspace.cwd, "a b"));
    const result = await place.call({ command: "pwd; pwd -P", cwd: "a b" });
    const cwd = join(place.workspace.cwd, "a b");
    expect(essence(result)).toEqual({ status: "ok", content: `Exit code: 0 (T s)\n${cwd}\n${cwd}\n` });
  });
});

describe("nothing is left running", () => {
  const remember = "echo $$ > group; ";

  test("a child that ignores TERM is killed at the time-out, and its output kept", async () => {
    const place = commandPlace();
    const result = await place.call({
      command: `${remember}trap '' TERM; echo working; while :; do sleep 0.1; done`,
      timeout_seconds: 0.3,
    });
    expect(result).toMatchObject({
      status: "failed",
      code: "tool.timeout",
      content: expect.stringMatching(/^Timed out after 0\.3 s .*\nworking\n$/s),
    });
    expect(processesOfGroup(groupOf(place))).toEqual([]);
  });

  test("a cancelled call throws the reason and leaves no process, not even stubborn grandchildren", async () => {
    const place = commandPlace();
    const controller = new AbortController();
    const script = `${remember}(trap '' TERM; sleep 300 & wait) & (trap '' TERM; exec sleep 300) & touch ready; echo > ready; wait`;
    const running = place.call({ command: script }, controller.signal);
    await untilExists(join(place.workspace.cwd, "ready"));
    const reason = new Error("stop it");
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(processesOfGroup(groupOf(place))).toEqual([]);
  });

  test("a call cancelled before it began runs nothing", async () => {
    const place = commandPlace();
    const reason = new Error("never mind");
    await expect(place.call({ command: remember }, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(readdirSync(place.workspace.cwd)).toEqual([]);
  });

  test("a background process that keeps the pipes open neither holds the call nor survives it", async () => {
    const place = commandPlace();
    const result = await place.call({ command: `${remember}sleep 300 & echo started` });
    expect(essence(result)).toEqual({
      status: "ok",
      content: "Exit code: 0 (T s)\nstarted\n\n[Processes left in the background were ended.]",
    });
    expect(processesOfGroup(groupOf(place))).toEqual([]);
  });

  test("a background process that writes without end is cut off", async () => {
    const place = commandPlace();
    const result = await place.call({ command: `${remember}yes & exit 0` });
    expect(result).toMatchObject({ status: "ok", details: { exitCode: 0 } });
    expect(processesOfGroup(groupOf(place))).toEqual([]);
  });

  test("background processes without pipes are ended too", async () => {
    const place = commandPlace();
    await place.call({ command: `${remember}sleep 300 > /dev/null 2>&1 & wait -f 2>/dev/null & disown; exit 0` });
    expect(processesOfGroup(groupOf(place))).toEqual([]);
  });
});

describe("a long output is shown by head and tail, and kept in a file", () => {
  test("the file is whole, private, and named in the result", async () => {
    const place = commandPlace();
    const result = await place.call({ command: "seq 1 100000; echo oops >&2" });
    const path = spillFile(result);
    const expected = `${Array.from({ length: 100_000 }, (_, index) => index + 1).join("\n")}\n`;
    expect(readFileSync(path, "utf8").replace("oops\n", "")).toBe(expected);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(place.options.spillDirectory).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(place.options.spillDirectory, "no-session"))).toEqual(["call-1.log"]);
    expect(Buffer.byteLength(result.content)).toBeLessThanOrEqual(place.options.limits.outputBytes);
    const [head = "", note = "", tail = ""] = result.content.split(/\n(\[….*…\])\n/);
    expect(expected.startsWith(head.replace(/^.*\n/, ""))).toBe(true);
    expect(`${expected}oops\n`.replace("oops\noops\n", "oops\n")).toContain(tail.replace("oops\n", ""));
    expect(note).toMatch(/^\[… \d+ of 588900 bytes left out here; all of it is in .*call-1\.log; read_file .* …\]$/);
    const shownBytes = Buffer.byteLength(head.replace(/^.*\n/, "")) + 1 + Buffer.byteLength(tail);
    expect(Number(/… (\d+) of/.exec(note)?.[1]) + shownBytes).toBeGreaterThanOrEqual(588_899);
  });

  test("a taken name gets a suffix, and a hostile call id stays in the directory", async () => {
    const place = commandPlace();
    await place.call({ command: "seq 1 100000" });
    await place.call({ command: "seq 1 100000" });
    expect(readdirSync(join(place.options.spillDirectory, "no-session"))).toEqual([
      expect.stringMatching(/^call-1-[0-9a-f]{12}\.log$/),
      "call-1.log",
    ]);
  });

  test("without a place to keep it the result says so", async () => {
    const place = commandPlace({ spillDirectory: "/dev/null/nowhere" });
    const result = await place.call({ command: "seq 1 100000; exit 2" });
    expect(result).toMatchObject({ status: "ok", details: { exitCode: 2, truncated: true, spillFile: null } });
    expect(result.content).toContain("they were not kept");
  });

  test("multi-byte characters are never cut", async () => {
    const place = commandPlace();
    const result = await place.call({ command: "yes 日本語😀 | head -n 40000 | tr -d '\\n'" });
    expect(result.content).not.toContain("\uFFFD");
    expect(details(result)).toMatchObject({ stdoutBytes: 520_000, truncated: true });
  });

  slowTest("200 MB pass through flat memory, counted to the byte", async () => {
    const place = commandPlace();
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const before = process.memoryUsage().rss;
    const result = await place.call({ command: "head -c 200000000 /dev/zero | tr '\\0' x" });
    clearInterval(watch);
    expect(details(result)).toMatchObject({ exitCode: 0, stdoutBytes: 200_000_000, truncated: true });
    expect(peak - before).toBeLessThan(100 * 1024 * 1024);
    expect(statSync(spillFile(result)).size).toBe(64 * 1024 * 1024);
    expect(place.shown.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(1_200_000);
  });
});

describe("what must not run is refused with the way to correct it", () => {
  test.each<[string, JsonObject, string]>([
    ["neither form", {}, "tool.bad-arguments"],
    ["both forms", { argv: ["a"], command: "a" }, "tool.bad-arguments"],
    ["empty argv", { argv: [] }, "tool.bad-arguments"],
    ["empty program", { argv: [""] }, "tool.bad-arguments"],
    ["empty script", { command: " \n" }, "tool.bad-arguments"],
    ["NUL in an argument", { argv: ["echo", "a\0b"] }, "tool.bad-arguments"],
    ["NUL in a script", { command: "echo a\0b" }, "tool.bad-arguments"],
    ["half a surrogate pair", { argv: ["echo", "\ud800"] }, "tool.bad-arguments"],
    ["time-out of nothing", { argv: ["a"], timeout_seconds: 0 }, "tool.bad-arguments"],
    ["time-out beyond the maximum", { argv: ["a"], timeout_seconds: 61 }, "tool.bad-arguments"],
    ["cwd above", { argv: ["a"], cwd: ".." }, "path.outside"],
    ["cwd at the top", { argv: ["a"], cwd: "/" }, "path.outside"],
    ["cwd through a link", { argv: ["a"], cwd: "out" }, "path.outside"],
    ["cwd that is missing", { argv: ["a"], cwd: "gone" }, "path.not-found"],
    ["cwd that is a file", { argv: ["a"], cwd: "file" }, "path.not-a-file"],
  ])("%s", async (_name, args, code) => {
    const place = commandPlace();
    symlinkSync("/tmp", join(place.workspace.cwd, "out"));
    writeFileSync(join(place.workspace.cwd, "file"), "");
    await expect(place.prepare(args)).rejects.toMatchObject({ code });
  });

  test("the action says exactly what will run", async () => {
    const place = commandPlace();
    expect(await place.prepare({ argv: ["git", "log", "-n 1"] })).toEqual({
      tool: "run_command",
      arguments: { argv: ["git", "log", "-n 1"], cwd: ".", timeout_seconds: 20 },
      effect: "execute",
      risk: "high",
      paths: [],
      command: {
        form: { type: "argv", argv: ["git", "log", "-n 1"] },
        cwd: place.workspace.cwd,
        timeoutMs: 20_000,
        confinement: { type: "none" },
        scripts: [],
        nested: [{ words: ["git", "log", "-n 1"] }],
      },
      summary: "git log '-n 1'",
    });
  });
});
