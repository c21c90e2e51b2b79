import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { lineCutBytes, liveFlushLength, liveTotalLength } from "../../src/run-command/limits.ts";
import { LiveOutput } from "../../src/run-command/live-output.ts";
import { OutputCapture } from "../../src/run-command/output-capture.ts";
import { TailBuffer } from "../../src/run-command/tail-buffer.ts";

type Stream = "stdout" | "stderr";

function noFile(): never {
  throw new Error("the disk is full");
}

async function captured(limitBytes: number, ...pieces: readonly (readonly [Stream, Uint8Array])[]): Promise<string> {
  const capture = new OutputCapture(limitBytes, new LiveOutput(() => undefined), noFile);
  for (const [stream, bytes] of pieces) await capture.add(stream, Buffer.from(bytes));
  return (await capture.finish()).text;
}

const cut =
  /^(?<head>[^]*)\n\[… (?<left>\d+) of (?<total>\d+) bytes left out here; they were not kept \(the disk is full\) …\]\n(?<tail>[^]*)$/;
const texts = fc.string({ unit: fc.constantFrom("a", "é", "中", "🎉", "\n", " "), minLength: 1, maxLength: 60 });

test("an output that fits is whole, and of a longer one beginning and end are, in whole characters, with what was left out counted", async () => {
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.integer({ min: 8, max: 80 }),
      fc.integer({ min: 1, max: 9 }),
      async (text, limit, step) => {
        const bytes = Buffer.from(text);
        const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) =>
          bytes.subarray(at * step, (at + 1) * step),
        );
        const shown = await captured(limit, ...pieces.map((piece) => ["stdout", piece] as const));
        const whole = { head: text, left: "0", total: String(bytes.length), tail: "" };
        const { head, left, total, tail } = (bytes.length > limit ? cut.exec(shown)?.groups : undefined) ?? whole;
        const kept = Buffer.byteLength(head) + Buffer.byteLength(tail);
        expect([bytes.length > limit || shown === text, kept <= limit]).toEqual([true, true]);
        expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true]);
        expect([Number(total), Number(left)]).toEqual([bytes.length, bytes.length - kept]);
      },
    ),
    { numRuns: runs(300) },
  );
});

test("a cut is at a line's end where one is near, and in the middle of a line where none is", async () => {
  const line = "x".repeat(lineCutBytes - 1);
  const near = await captured(4 * lineCutBytes, ["stdout", Buffer.from(`${line}\n`.repeat(8))]);
  expect(near.split("\n").filter((part) => part !== line && part !== "" && !part.startsWith("[…"))).toEqual([]);
  const far = await captured(100, ["stdout", Buffer.from("y".repeat(1000))]);
  expect(cut.exec(far)?.groups).toMatchObject({ head: "y".repeat(50), left: "900", tail: "y".repeat(50) });
});

test("each stream's bytes are counted, its own characters put together, and NUL is shown", async () => {
  const capture = new OutputCapture(100, new LiveOutput(() => undefined), noFile);
  const [first, second] = [Buffer.from("é").subarray(0, 1), Buffer.from("é").subarray(1)];
  await capture.add("stdout", first);
  await capture.add("stderr", Buffer.from("e\0"));
  await capture.add("stdout", second);
  await capture.add("stderr", Buffer.from([0xe4]));
  expect(await capture.finish()).toEqual({
    text: "e␀é\ufffd",
    stdoutBytes: 2,
    stderrBytes: 3,
    truncated: false,
    spillPath: null,
  });
});

test("a tail buffer holds the last bytes, however they come", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9 }),
      fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 }),
      (size, pieces) => {
        const tail = new TailBuffer(size);
        for (const piece of pieces) tail.append(Buffer.from(piece));
        const all = Buffer.concat(pieces);
        expect([...tail.read()]).toEqual([...all.subarray(Math.max(0, all.length - size))]);
      },
    ),
    { numRuns: runs(300) },
  );
});

/** What is shown of pieces that come at once, and then of each by itself. */
function shownOf(...groups: readonly (readonly (readonly [Stream, string])[])[]): readonly string[] {
  const shown: string[] = [];
  const live = new LiveOutput((stream, text) => shown.push(`${stream}: ${text}`));
  for (const group of groups) {
    for (const [stream, text] of group) live.add(stream, text);
    live.flush();
  }
  live.flush();
  return shown;
}

test("live output is joined by stream, in order, and empty pieces are none", () => {
  expect(
    shownOf(
      [
        ["stdout", "a"],
        ["stdout", "b"],
        ["stderr", "c"],
        ["stderr", ""],
        ["stdout", "d"],
      ],
      [["stdout", "e"]],
    ),
  ).toEqual(["stdout: ab", "stderr: c", "stdout: d", "stdout: e"]);
});

test("what is too fast to be read is left out from its beginning, counted once, and never half a character", () => {
  const full = "x".repeat(liveFlushLength);
  expect(shownOf([["stdout", full]])).toEqual([`stdout: ${full}`]);
  expect(
    shownOf(
      [
        ["stderr", "abc"],
        ["stdout", full],
      ],
      [["stdout", "on"]],
    ),
  ).toEqual([`stdout: \n[3 characters not shown live]\n${full}`, "stdout: on"]);
  expect(shownOf([["stdout", `🎉${full.slice(1)}`]])).toEqual([
    `stdout: \n[2 characters not shown live]\n${full.slice(1)}`,
  ]);
});

test("after so much nothing more is shown, and that is said", () => {
  const full = "x".repeat(liveFlushLength);
  const groups = Array.from(
    { length: Math.ceil(liveTotalLength / liveFlushLength) + 2 },
    () => [["stdout", full]] as const,
  );
  const shown = shownOf(...groups);
  expect(shown).toHaveLength(Math.ceil(liveTotalLength / liveFlushLength));
  expect(shown.map((text) => text.endsWith("\n[no more is shown live]\n"))).toEqual(
    shown.map((_, at) => at === shown.length - 1),
  );
});
