import { PassThrough } from "node:stream";
import type { TrustQuestion } from "@capstan/host";
import { afterEach, expect, test, vi } from "vitest";
import { askTrust } from "../src/trust-question.ts";

afterEach(() => void vi.useRealTimers());

const question: TrustQuestion = {
  folder: "/work/real",
  named: "/work/link",
  why: "new",
  places: [{ path: "/work/real/AGENTS.md", name: "AGENTS.md", class: "instructions", type: "file", sizeBytes: 6 }],
  changed: [],
  read: () => [],
};

function terminal(): { readonly input: PassThrough; readonly output: PassThrough; shown(): string } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const pieces: Buffer[] = [];
  output.on("data", (piece: Buffer) => pieces.push(piece));
  return { input, output, shown: () => Buffer.concat(pieces).toString("utf8") };
}

const unasked = (): never => {
  throw new Error("nobody pressed Ctrl-C");
};

test("a question that nobody answers in time is answered with no", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const place = terminal();
  const answer = askTrust(question, place, unasked);
  await vi.advanceTimersByTimeAsync(10 * 60 * 1000 - 1);
  expect(place.shown()).not.toContain("Not trusted.");
  await vi.advanceTimersByTimeAsync(1);
  expect([await answer, place.shown().includes("Not trusted."), vi.getTimerCount()]).toEqual(["not-now", true, 0]);
});

test.for([
  ["trust\n", "trust"],
  [" T \n", "trust"],
  ["no\n", "not-now"],
  ["\n", "not-now"],
] as const)("%j is answered %s", async ([typed, expected]) => {
  const place = terminal();
  const answer = askTrust(question, place, unasked);
  place.input.write(typed);
  expect(await answer).toBe(expected);
  expect(place.shown()).toContain("  /work/real (you are in /work/link)\n    AGENTS.md (6 bytes): tells the model");
});

test.for([
  [["unseen"], "nobody looked into this part of it then"],
  [["unseen", "added"], "what it brings along has changed since"],
] as const)("of files that are %j it says why it asks again", async ([changes, why]) => {
  const place = terminal();
  const changed = changes.map((change) => ({ name: `sub/${change}.md`, change }));
  const answer = askTrust({ ...question, why: "changed", changed }, place, unasked);
  place.input.write("no\n");
  await answer;
  expect(place.shown()).toContain(why);
  expect(place.shown()).toContain("sub/unseen.md was not looked at");
});

test("what cannot be read any more is a no", async () => {
  const place = terminal();
  const answer = askTrust(question, place, unasked);
  place.input.end();
  expect(await answer).toBe("not-now");
});

test("Ctrl-C is a no, and is reported to whoever started the question", async () => {
  const place = terminal();
  let interrupts = 0;
  const answer = askTrust(question, place, () => {
    interrupts += 1;
  });
  place.input.write("\u0003");
  expect([await answer, interrupts]).toEqual(["not-now", 1]);
});
