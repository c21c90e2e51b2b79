import type { ToolStrategy } from "@capstan/protocol";
import { toStepId } from "@capstan/protocol";
import { action, call } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { PendingCall } from "@capstan/session";
import { startableCalls } from "../../../src/turn/tool-loop/startable-calls.ts";

/**
 * A batch in short: `r` read, `w` write, `x` execute that are allowed; `R`, `W`, `X` running; `a` asking; `.` settled.
 * The answer has the places of the calls that may start.
 */
function startable(batch: string, strategy: ToolStrategy, maxParallelReads = 8): string {
  const calls = batch.split("").map((letter, at) => pendingCall(letter, String(at)));
  const starting = startableCalls({ stepId: toStepId("s"), calls, edited: [], undo: null }, strategy, maxParallelReads);
  return starting.map((pending) => pending.call.callId).join("");
}

const tools: Readonly<Record<string, string>> = { r: "look", w: "change", x: "act" };

function pendingCall(letter: string, id: string): PendingCall {
  const tool = tools[letter.toLowerCase()] ?? "look";
  const made = { call: call(id, tool), action: action(tool) };
  if (letter === ".") return { type: "settled", ...made, outcome: { type: "done", content: "" }, changes: [] };
  if (letter === "a") return { type: "asking", ...made, interaction: null };
  if (letter === letter.toUpperCase()) {
    const started = {
      settle: { files: [] },
      output: "",
      checkpoint: null,
      question: null,
      interrupted: false,
      probed: null,
    };
    return { type: "running", ...made, approved: false, ...started };
  }
  return { type: "allowed", ...made, approved: false };
}

test.each<[string, string]>([
  ["", ""],
  ["r", "0"],
  ["rr", "0"],
  ["wr", "0"],
  ["Rr", ""],
  [".r", "1"],
  [".wr", "1"],
  ["R.r", ""],
  ["...", ""],
  ["ar", ""],
])("sequential: of %s starts %s", (batch, expected) => {
  expect(startable(batch, "sequential")).toBe(expected);
});

test.each<[string, string]>([
  ["rrr", "012"],
  ["rrw", "01"],
  ["wrr", "0"],
  ["Wrr", ""],
  ["Xw", ""],
  [".rrwrr", "12"],
  ["..wrr", "2"],
  ["...rr", "34"],
  ["R.rw", "2"],
  ["R.w", ""],
  ["RRw", ""],
  ["xx", "0"],
  [".x", "1"],
  ["rar", "0"],
])("parallel-reads and review: of %s starts %s", (batch, expected) => {
  expect(startable(batch, "parallel-reads")).toBe(expected);
  expect(startable(batch, "review")).toBe(expected);
});

test.each<[string, number, string]>([
  ["rrrr", 2, "01"],
  ["Rrrr", 2, "1"],
  ["RRrr", 2, ""],
  ["R.rr", 2, "2"],
  ["rrr", 1, "0"],
])("at most so many reads run together: of %s with %i starts %s", (batch, most, expected) => {
  expect(startable(batch, "parallel-reads", most)).toBe(expected);
});

test("whatever ends first, every call starts once, effects run alone and in call order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("r", "w", "x"), { minLength: 1, maxLength: 12 }),
      fc.constantFrom<ToolStrategy>("sequential", "parallel-reads", "review"),
      fc.infiniteStream(fc.nat()),
      (letters, strategy, choices) => {
        const batch: string[] = [...letters];
        const crowds: string[] = [];
        const started: number[] = [];
        for (const choice of choices) {
          for (const place of places(startable(batch.join(""), strategy), batch)) {
            started.push(place);
            batch[place] = (batch[place] ?? "").toUpperCase();
          }
          const running = batch.flatMap((letter, at) =>
            letter === letter.toUpperCase() && letter !== "." ? [at] : [],
          );
          if (running.length === 0) break;
          const alone = strategy === "sequential" || running.some((at) => batch[at] !== "R");
          if (alone && running.length > 1) crowds.push(batch.join(""));
          batch[running[choice % running.length] ?? 0] = ".";
        }
        expect({ started, crowds }).toEqual({ started: letters.map((_, at) => at), crowds: [] });
      },
    ),
  );
});

/** The places named by the answer; ids above 9 have two digits, so they are found among the batch's own. */
function places(answer: string, batch: readonly string[]): readonly number[] {
  const found: number[] = [];
  let rest = answer;
  for (let at = 0; at < batch.length; at += 1) {
    if (batch[at] === batch[at]?.toUpperCase() || !rest.startsWith(String(at))) continue;
    found.push(at);
    rest = rest.slice(String(at).length);
  }
  return found;
}
