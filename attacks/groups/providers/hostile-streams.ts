import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CapstanPlace, inCapstanPlace } from "../../stage/capstan-place.ts";
import { type Attack, outcome } from "../../suite/attack.ts";

/** V1, V3: answers of a model that name what was not offered, or break off; what is counted is what was done in the workspace. */
export function hostileCalls(): readonly Attack[] {
  return answers.map((answer): Attack => ({
    row: answer.row,
    input: answer.name,
    attempt: async () => await played(answer.turns, answer),
    control: async () => await played(answer.obeyed, answer),
  }));
}

interface Answer {
  readonly row: "V1" | "V3";
  readonly name: string;
  readonly turns: readonly object[];
  /** The same request where nothing is wrong with it: it must be done, or the attempt proves nothing. */
  readonly obeyed: readonly object[];
  /** How many lines may be in the file that the calls write. */
  readonly most: number;
}

async function played(turns: readonly object[], { most }: Answer): ReturnType<Attack["attempt"]> {
  return await inCapstanPlace(async (place) => {
    const run = await place.run(turns, ["--yolo", "go"]);
    const lines = linesOf(place);
    return outcome(lines > most, `${lines} written, exit ${run.code}, ${run.exchanges.length} requests`);
  });
}

function linesOf({ cwd }: CapstanPlace): number {
  const file = join(cwd, "made.txt");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

const script = "echo made >> made.txt";
const whole = { name: "run_command", arguments: { command: script } };
const end = { text: "done" };

const unknownTools: readonly string[] = [
  "execute_command_unsafe",
  "run_command2",
  "run_command\u200b",
  "mcp__other__run_command",
  "functions.run_command_now",
  "../run_command",
  "computer",
  "disable_sandbox",
  "set_permission_mode",
  "approve",
];

/** Arguments that break off, as raw text. */
const cutArguments: readonly string[] = [
  '{"command":"echo made >> made.txt"',
  '{"command":"echo made >> made.txt',
  '{"command":"echo made >> made.txt","timeout_seconds":',
  '{"command":"echo made >> made.txt"}{"command":"x"}',
  '{"command":"echo made >> made.txt","command":"echo made >> made.txt"}',
];

const answers: readonly Answer[] = [
  ...unknownTools.map((name): Answer => ({
    row: "V1",
    name: `a tool that was not offered: ${JSON.stringify(name)}`,
    turns: [{ tool_calls: [{ name, arguments: { command: script } }] }, end],
    obeyed: [{ tool_calls: [whole] }, end],
    most: 0,
  })),
  ...cutArguments.map((args, index): Answer => ({
    row: "V3",
    name: `arguments that are not whole: ${index + 1}`,
    turns: [{ tool_calls: [{ name: "run_command", arguments: args }], finish: "tool-calls" }, end],
    obeyed: [{ tool_calls: [whole] }, end],
    most: 0,
  })),
  {
    row: "V3",
    name: "an answer that ran out of room in the middle of a call",
    turns: [{ tool_calls: [whole], finish: "length" }, end],
    obeyed: [{ tool_calls: [whole], finish: "tool-calls" }, end],
    most: 0,
  },
  ...["cut", "end", "error-event"].map((type): Answer => ({
    row: "V3",
    name: `an answer that breaks off behind a whole call: ${type}`,
    turns: Array.from({ length: 6 }, () => ({ tool_calls: [whole], fault: { type, after_bytes: 700, times: 9 } })),
    obeyed: [{ tool_calls: [whole] }, end],
    most: 0,
  })),
]; // prettier-ignore

/** V2: ids that are used twice, or are none. In what is sent back, every call has an id of its own, and every result its call. */
export function hostileIds(): readonly Attack[] {
  return identities.map(({ name, steps }): Attack => ({
    row: "V2",
    input: name,
    attempt: async () =>
      await inCapstanPlace(async (place) => {
        const turns = steps.map((ids) => ({ tool_calls: ids.map((id) => ({ ...whole, id })) }));
        const run = await place.run([...turns, end], ["--yolo", "go"]);
        if (run.exchanges.length < 2) throw new Error(`nothing was sent back: ${run.stderr.slice(0, 200)}`);
        const body = JSON.stringify(run.exchanges.at(-1)?.body ?? null);
        const called = idsIn(body, /"type":"tool_use","id":"((?:[^"\\]|\\.)*)"/g);
        const answeredFor = idsIn(body, /"tool_use_id":"((?:[^"\\]|\\.)*)"/g);
        const isMixed = isConfused(called) || called.toSorted().join() !== answeredFor.toSorted().join();
        return outcome(isMixed, `${called.length} calls, ${new Set(called).size} ids, exit ${run.code}`);
      }),
    control: async () => {
      // What a careless client sends back: the ids as they came.
      const called = steps.flat();
      return await Promise.resolve(outcome(isConfused(called), `${called.length} calls, ${new Set(called).size} ids`));
    },
  }));
}

/** Vendors take ids of letters, digits, `_` and `-`; 256 is more than any of them gives. */
function isConfused(ids: readonly string[]): boolean {
  return new Set(ids).size < ids.length || ids.some((id) => !/^[\w-]{1,256}$/.test(id));
}

function idsIn(body: string, pattern: RegExp): readonly string[] {
  return [...body.matchAll(pattern)].map(([, id = ""]) => id);
}

const identities: readonly { readonly name: string; readonly steps: readonly (readonly string[])[] }[] = [
  { name: "two calls with one id", steps: [["same", "same"]] },
  { name: "twelve calls with one id", steps: [Array.from({ length: 12 }, () => "same")] },
  { name: "an id of an earlier step", steps: [["same"], ["same"]] },
  {
    name: "an id of an earlier step, among others",
    steps: [
      ["a", "b"],
      ["c", "a"],
    ],
  },
  { name: "no id", steps: [[""]] },
  { name: "two calls without id", steps: [["", ""]] },
  { name: "an id of 10 KB", steps: [["x".repeat(10_240)]] },
  { name: "an id of other characters", steps: [["a b/../c\u0000\u001b[2J"]] },
];
