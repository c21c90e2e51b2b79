import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { inCapstanPlace } from "../../stage/capstan-place.ts";
import { inFilePlace, textOf } from "../../stage/file-place.ts";
import { type Attack, outcome, stopped } from "../../suite/attack.ts";
import { shared } from "../../suite/shared.ts";

/** D2: patterns that make an engine with backtracking search forever. */
export function slowPatterns(): readonly Attack[] {
  return patterns.map(({ pattern, text }): Attack => ({
    row: "D2",
    input: pattern,
    attempt: async () =>
      inFilePlace(async (place) => {
        place.write("text.txt", `${text}\n`);
        // A search that does not end by itself is ended by its own limit, and says so.
        const answer = textOf(await place.call("search", { pattern, path: "." }));
        return outcome(/time|too long|stopped/i.test(answer), answer.slice(0, 100));
      }),
    control: async () => {
      const script = "new RegExp(process.argv[1]).test(process.argv[2])";
      const { signal } = spawnSync(process.execPath, ["-e", script, pattern, text], {
        timeout: hangMs,
        killSignal: "SIGKILL",
      });
      return await Promise.resolve(outcome(signal !== null, signal ?? "it ended"));
    },
  }));
}

/** How long a search with backtracking may take before it hangs. */
const hangMs = 2_000;

const patterns: readonly { readonly pattern: string; readonly text: string }[] = [
  { pattern: "(a+)+$", text: `${"a".repeat(40)}!` },
  { pattern: "(a|aa)+$", text: `${"a".repeat(60)}!` },
  { pattern: "(a|a)*b$", text: `${"a".repeat(40)}!` },
  { pattern: "^(\\w+\\s?)*$", text: `${"word ".repeat(12)}!${"x".repeat(20)}!` },
  { pattern: "(.*a){20}$", text: `${"a".repeat(40)}!` },
  { pattern: "([a-z]+)*[0-9]$", text: `${"z".repeat(40)}!` },
  { pattern: "(x+x+)+y", text: "x".repeat(60) },
];

/** D6: arguments that some later code would stumble over. */
export function hostileArguments(): readonly Attack[] {
  return bombs.map(({ name, json }): Attack => ({
    row: "D6",
    input: name,
    attempt: async () =>
      inFilePlace(async (place) => {
        const parsed: JsonObject = JSON.parse(json);
        const prepared = await place.prepare("write_file", { ...parsed, path: "out.txt", content: parsed["content"] ?? "x" });
        if (prepared.type === "refused") return stopped(`${prepared.code}: ${prepared.text.slice(0, 100)}`);
        return outcome(true, "prepared");
      }),
    control: async () => {
      // What a careless agent checks: that it parses, and that the fields are there.
      const parsed: unknown = JSON.parse(json);
      return await Promise.resolve(outcome(typeof parsed === "object" && parsed !== null, "parsed"));
    },
  })); // prettier-ignore
}

const bombs: readonly { readonly name: string; readonly json: string }[] = [
  { name: "nested 100 deep", json: `{"content":${"[".repeat(100)}${"]".repeat(100)}}` },
  { name: "nested 5,000 deep", json: `{"extra":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}` },
  { name: "20,000 keys", json: `{"extra":{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(",")}}}` },
  { name: "20,000 items", json: `{"extra":[${Array.from({ length: 20_000 }, () => 1).join(",")}]}` },
  { name: "a prototype deep inside", json: '{"extra":{"__proto__":{"path":"../x"}}}' },
  { name: "a constructor", json: '{"extra":{"constructor":{"prototype":{"a":1}}}}' },
  { name: "half of a pair", json: '{"content":"\\ud800"}' },
  { name: "half of a pair in a key", json: '{"extra":{"\\udc00":1}}' },
  { name: "more than any number", json: '{"extra":1e999}' },
  { name: "less than any number", json: '{"extra":-1e999}' },
  { name: "a list for a text", json: '{"content":["a"]}' },
  { name: "an object for a text", json: '{"content":{"toString":"x"}}' },
];

/** D6, D7: answers of a model that ask for too much at once, through the real binary. */
export function callFloods(): readonly Attack[] {
  return answers.map(({ row, name, turns, most, limits, open }): Attack => {
    const runs = async (args: readonly string[]): Promise<number> =>
      await inCapstanPlace(async (place) => {
        await place.run(turns(), [...yolo, ...args, "go"]);
        return linesIn(join(place.cwd, "made.txt"));
      });
    const guarded = shared(() => runs(limits));
    return {
      row,
      input: name,
      attempt: async () => {
        const ran = await guarded();
        return outcome(ran > most, `${ran} ran`);
      },
      control: async () => {
        const ran = await runs(open);
        return outcome(ran > most, `${ran} ran`);
      },
    };
  });
}

function linesIn(file: string): number {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

const yolo: readonly string[] = ["--yolo"];
const append = { name: "run_command", arguments: { command: "echo made >> made.txt" } };

interface Answers {
  readonly row: "D6" | "D7";
  readonly name: string;
  readonly turns: () => readonly object[];
  /** Calls that may run. */
  readonly most: number;
  readonly limits: readonly string[];
  /** Settings that take the limit away. */
  readonly open: readonly string[];
}

/** Each a command of its own, so that no guard against repetition has a word in it. */
function numbered(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: "run_command",
    arguments: { command: `echo made ${index} >> made.txt` },
  }));
}

const answers: readonly Answers[] = [
  {
    row: "D7",
    name: "a batch of 300 calls",
    turns: () => [{ tool_calls: numbered(300) }, { text: "done" }],
    most: 64,
    limits: [],
    // Enough of them run in this time.
    open: ["--set", "tools.max_tool_calls_per_batch=10000", "--set", "sandbox.mode=off", "--timeout", "40s"],
  },
  {
    row: "D7",
    name: "the same call, again and again",
    turns: () => [...Array.from({ length: 12 }, () => ({ tool_calls: [append] })), { text: "done" }],
    most: 4,
    limits: [],
    open: ["--set", "tools.max_identical_calls=1000"],
  },
  {
    row: "D7",
    name: "rounds without end",
    turns: () => [...numbered(30).map((call) => ({ tool_calls: [call] })), { text: "done" }],
    most: 10,
    limits: ["--set", "tools.max_tool_iterations_per_user_turn=10"],
    open: [],
  },
];
