import { EventEmitter, once } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { maxPauseMs, maxPausesMs } from "../../src/run-command/limits.ts";
import { TimeAllowance } from "../../src/run-command/time-allowance.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How often a command's time was over. */
class Ends {
  times = 0;

  count(): void {
    this.times += 1;
  }
}

/** A question that somebody answers. */
function question(): { readonly answer: Promise<boolean>; readonly reply: (isOpen: boolean) => void } {
  const replies = new EventEmitter();
  const answer = once(replies, "reply").then(([isOpen]) => isOpen === true);
  return { answer, reply: (isOpen) => void replies.emit("reply", isOpen) };
}

test("a command's time stands still while questions wait, one beside the other, and runs on from where it was", async () => {
  const over = new Ends();
  const allowance = new TimeAllowance(1_000);
  allowance.start(() => over.count());
  await vi.advanceTimersByTimeAsync(900);
  const [first, second] = [question(), question()];
  const waiting = [allowance.pausedFor(first.answer), allowance.pausedFor(second.answer)];
  await vi.advanceTimersByTimeAsync(5_000);
  first.reply(true);
  await vi.advanceTimersByTimeAsync(5_000);
  second.reply(false);
  expect(await Promise.all(waiting)).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(99);
  expect(over.times).toBe(0);
  // A second time, with what is left.
  const third = question();
  const last = allowance.pausedFor(third.answer);
  await vi.advanceTimersByTimeAsync(5_000);
  third.reply(true);
  await last;
  expect(over.times).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(over.times).toBe(1);
});

test("it runs again when a connection waits no longer, and when all questions together have taken enough", async () => {
  const over = new Ends();
  const allowance = new TimeAllowance(1_000);
  allowance.start(() => over.count());
  void allowance.pausedFor(question().answer);
  await vi.advanceTimersByTimeAsync(maxPauseMs + 999);
  expect(over.times).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(over.times).toBe(1);

  const again = new Ends();
  const greedy = new TimeAllowance(1_000);
  greedy.start(() => again.count());
  for (let asked = 0; asked < maxPausesMs; asked += maxPauseMs / 2) {
    void greedy.pausedFor(question().answer);
    await vi.advanceTimersByTimeAsync(maxPauseMs / 2);
  }
  await vi.advanceTimersByTimeAsync(999);
  expect(again.times).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(again.times).toBe(1);
});

test("nothing is over after the command has ended, whatever is answered later", async () => {
  const over = new Ends();
  const allowance = new TimeAllowance(1_000);
  allowance.start(() => over.count());
  const { answer, reply } = question();
  const waiting = allowance.pausedFor(answer);
  allowance.stop();
  reply(true);
  await waiting;
  await vi.advanceTimersByTimeAsync(maxPauseMs * 2);
  expect([over.times, vi.getTimerCount()]).toEqual([0, 0]);
});
