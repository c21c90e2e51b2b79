import { type SessionSummary, toSessionId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { textWidth } from "@capstan/view";
import { sessionListLines } from "../src/lists/session-list.ts";
import { localTime } from "../src/lists/time-text.ts";

const now = new Date(2026, 10, 23, 12, 0).getTime();
const session = (id: string, title: string, minutes: number): SessionSummary => ({
  id: toSessionId(id),
  title,
  cwd: "/home/me/work",
  model: "anthropic/claude-sonnet-5-5",
  createdAt: 0,
  updatedAt: now - minutes * 60_000,
  turns: minutes,
  lastOutcome: "done",
});
const sessions = [
  session("k3f9aaaaaaaa", "fix the build", 5),
  session("k3f8bbbbbbbb", "写一个很长的标题 and then some more words", 300),
  session("mmmm", "", 10_000),
];

test("the title comes first, columns are aligned, and times are those of the reader", () => {
  const lines = sessionListLines(sessions, { now, all: sessions, owned: new Set() });
  expect(lines[0]).toMatch(/^fix the build +k3f9aaaaaaaa {2}5 min ago +done {2}2026-11-23 11:55 {2}5 turns/);
  expect(lines[0]).toContain(localTime(now - 300_000));
  const starts = lines.map((line) => textWidth(line.slice(0, line.indexOf("2026-"))));
  expect(new Set(starts).size).toBe(1);
  expect(lines[2]).toMatch(/^\(no words\) +mmmm +7 days ago/);
});

test("a turn that has not ended is running where a process has the session, and else was interrupted", () => {
  const open = { ...session("killed", "fix", 5), lastOutcome: undefined };
  const rows = [open, { ...open, id: toSessionId("alive") }, { ...open, id: toSessionId("fresh"), turns: 0 }].map(
    ({ lastOutcome: _none, ...row }) => row,
  );
  const lines = sessionListLines(rows, { now, all: rows, owned: new Set([toSessionId("alive")]) });
  expect(lines.map((line) => / ago {2}(\S+) /.exec(line)?.[1])).toEqual(["interrupted", "running", "open"]);
});

test.each([200, 120, 80, 60, 44])("in %i columns every line fits, with title, short id and age", (width) => {
  const lines = sessionListLines(sessions, { now, all: sessions, owned: new Set(), width });
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
  expect(lines.map((line) => /\S {2,}(k3f9|k3f8|mmmm) {2,}\d+ \w+ ago/.exec(line)?.[1])).toEqual([
    "k3f9",
    "k3f8",
    "mmmm",
  ]);
});
