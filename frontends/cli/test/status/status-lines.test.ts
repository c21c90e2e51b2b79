import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Output } from "../../src/output.ts";
import { StatusLines } from "../../src/status/status-lines.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

function stage(shown: (nowMs: number) => readonly string[], colors = false) {
  const written: string[] = [];
  const screen = { columns: 20 };
  const output: Output = {
    isTerminal: true,
    get columns() {
      return screen.columns;
    },
    write: (text) => void written.push(text),
  };
  const lines = new StatusLines({ result: output, progress: output, colors }, shown);
  return { lines, screen, taken: () => written.splice(0).join("") };
}

const painted = (text: string): string => `\u001b[?7l${text}\n\u001b[?7h`;
const away = (rows: number): string => `\r\u001b[${rows}A\u001b[J`;

test("what is printed takes the lines away first, and they come back below it", () => {
  const { lines, taken } = stage(() => ["status"]);
  lines.changed();
  vi.advanceTimersByTime(100);
  expect(taken()).toBe(painted("status"));
  lines.streams.result.write("words\n");
  expect(taken()).toBe(`${away(1)}words\n`);
  vi.advanceTimersByTime(100);
  expect(taken()).toBe(painted("status"));
  lines.close();
  expect(taken()).toBe(away(1));
});

test("the time is counted on, what is the same is not painted twice, and nothing is left when it is closed", () => {
  const { lines, taken } = stage((nowMs) => [`${Math.floor(nowMs / 2000)}`]);
  lines.changed();
  vi.advanceTimersByTime(1500);
  expect(taken()).toBe(painted("0"));
  vi.advanceTimersByTime(1000);
  expect(taken()).toBe(`${away(1)}${painted("1")}`);
  lines.close();
  expect(vi.getTimerCount()).toBe(0);
  taken();
  lines.changed();
  lines.streams.progress.write("after\n");
  vi.advanceTimersByTime(5000);
  expect([taken(), vi.getTimerCount()]).toEqual(["after\n", 0]);
});

test("changes are painted ten times a second at most", () => {
  let count = 0;
  const { lines, taken } = stage(() => [String(count)]);
  for (; count < 1000; count += 1) {
    lines.changed();
    vi.advanceTimersByTime(1);
  }
  expect(taken().split("\u001b[?7l").length - 1).toBe(10);
  lines.close();
});

test("nothing is painted within a line, and where nothing is to be said", () => {
  let shown: readonly string[] = ["status"];
  const { lines, taken } = stage(() => shown);
  lines.streams.progress.write("half");
  vi.advanceTimersByTime(1000);
  expect(taken()).toBe("half");
  lines.streams.progress.write(" a line\n");
  vi.advanceTimersByTime(1000);
  expect(taken()).toBe(` a line\n${painted("status")}`);
  shown = [];
  lines.changed();
  vi.advanceTimersByTime(1000);
  expect(taken()).toBe(`${away(1)}\u001b[?7l\u001b[?7h`);
  lines.close();
  expect(taken()).toBe("");
});

test("on a terminal that became narrower, the rows are taken away that the lines take now", () => {
  const { lines, screen, taken } = stage(() => ["12345678901234", "漢字漢字"]);
  lines.changed();
  vi.advanceTimersByTime(100);
  taken();
  screen.columns = 5;
  lines.hide();
  expect(taken()).toBe(away(3 + 2));
  lines.close();
});

test("after the process was stopped and continued the lines are painted again, below whatever came between", () => {
  const { lines, taken } = stage(() => ["status"]);
  lines.changed();
  vi.advanceTimersByTime(100);
  taken();
  process.emit("SIGCONT", "SIGCONT");
  vi.advanceTimersByTime(100);
  expect(taken()).toBe(painted("status"));
  lines.close();
  expect(process.listenerCount("SIGCONT")).toBe(0);
});

test("colours only where they are wanted", () => {
  const { lines, taken } = stage(() => ["status"], true);
  lines.changed();
  vi.advanceTimersByTime(100);
  expect(taken()).toBe(painted("\u001b[2mstatus\u001b[0m"));
  lines.close();
});

test("a window that is made narrower has its line at once, the second time too, and not after it was closed", () => {
  const before = process.listenerCount("SIGWINCH");
  const room = { columns: 20 };
  const { lines, screen, taken } = stage(() => ["x".repeat(room.columns)]);
  lines.changed();
  vi.advanceTimersByTime(100);
  taken();
  for (const columns of [10, 5]) {
    room.columns = columns;
    screen.columns = columns;
    process.emit("SIGWINCH");
    vi.advanceTimersByTime(100);
    expect(taken()).toBe(`${away(2)}${painted("x".repeat(columns))}`);
  }
  lines.close();
  taken();
  process.emit("SIGWINCH");
  vi.advanceTimersByTime(2000);
  expect([taken(), process.listenerCount("SIGWINCH")]).toEqual(["", before]);
});
