import { FakeClock } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DeltaWindow } from "../src/delta-window.ts";
import { deltaWindowCharacters, deltaWindowMs } from "../src/limits.ts";

interface Opened {
  readonly clock: FakeClock;
  readonly window: DeltaWindow<string>;
  readonly out: string[][];
}

function open(handOver: () => Promise<void> = async () => undefined): Opened {
  const clock = new FakeClock();
  const out: string[][] = [];
  const window = new DeltaWindow<string>(
    clock,
    (piece) => piece.length,
    async (pieces) => {
      out.push([...pieces]);
      await handOver();
    },
  );
  return { clock, window, out };
}

test("the first piece goes out at once, later ones together when the window ends", async () => {
  const { clock, window, out } = open();
  await window.add(["a"]);
  await window.add(["b"]);
  await window.add(["c", "d"]);
  expect(out).toEqual([["a"]]);
  clock.advance(deltaWindowMs - 1);
  expect(out).toEqual([["a"]]);
  clock.advance(1);
  await window.flush();
  expect(out).toEqual([["a"], ["b", "c", "d"]]);
});

test("nothing added is nothing handed over", async () => {
  const { window, out } = open();
  expect(window.add([])).toBeUndefined();
  await window.flush();
  expect(out).toEqual([]);
});

test("a flood does not wait for the window to end", async () => {
  const { window, out } = open();
  const flood = "x".repeat(deltaWindowCharacters);
  await window.add(["a"]);
  await window.add([flood]);
  expect(out).toEqual([["a"], [flood]]);
});

test("while a hand-over is under way the source waits, and nothing overtakes", async () => {
  const releases: (() => void)[] = [];
  const gate = new Promise<void>((resolve) => releases.push(resolve));
  const { window, out } = open(() => gate);
  const first = window.add(["a"]);
  const second = window.add(["b"]);
  expect(second).toBeInstanceOf(Promise);
  const flushed = window.flush();
  expect(out).toEqual([["a"]]);
  for (const release of releases) release();
  await Promise.all([first, second, flushed]);
  expect(out).toEqual([["a"], ["b"]]);
});

test("a flush resolves only when everything added before it was handed over, even beside another flush", async () => {
  let done = 0;
  const { window, clock } = open(async () => {
    await Promise.resolve();
    await Promise.resolve();
    done += 1;
  });
  await window.add(["a"]);
  await window.add(["b"]);
  clock.advance(deltaWindowMs);
  await window.flush();
  expect(done).toBe(2);
});

test("what is discarded is never handed over, and no timer is left", async () => {
  const { clock, window, out } = open();
  await window.add(["a"]);
  await window.add(["b"]);
  window.discard();
  expect(clock.waitingMs).toEqual([]);
  await window.flush();
  expect(out).toEqual([["a"]]);
});

test("a hand-over that fails is reported to whoever waits, and the window continues", async () => {
  let broken = true;
  const { window, out } = open(async () => {
    if (broken) throw new Error("disk");
  });
  await expect(window.add(["a"])).rejects.toThrow("disk");
  broken = false;
  await window.add(["b"]);
  await window.flush();
  expect(out).toEqual([["a"], ["b"]]);
});

test("whatever the rhythm, every piece goes out once, in order", async () => {
  const step = fc.oneof(fc.string({ minLength: 1 }), fc.nat(60));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { clock, window, out } = open(() => Promise.resolve());
      for (const next of steps) {
        if (typeof next === "number") clock.advance(next);
        else void window.add([next]);
      }
      await window.flush();
      expect(out.flat()).toEqual(steps.filter((next) => typeof next === "string"));
    }),
    { numRuns: 200 },
  );
});
