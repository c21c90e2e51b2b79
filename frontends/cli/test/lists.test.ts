import { type SessionSummary, toSessionId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { textWidth } from "@capstan/view";
import { sessionListLines } from "../src/lists/session-list.ts";
import { sessionTree, sessionTreeLines, treeEntry } from "../src/lists/session-tree.ts";
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

test("a tree shows who works for whom, in the order they began, each with state, age, turns and cost; also of a part of it", () => {
  const byAgent = (id: string, caller: string, minutesAgo: number): SessionSummary => ({
    ...session(id, `work of ${id}`, 1),
    createdAt: now - minutesAgo * 60_000,
    spawnedBy: { sessionId: toSessionId(caller), agent: "explore" },
  });
  const root = { ...session("root", "the whole", 2), createdAt: now - 600_000 };
  const { lastOutcome: _none, ...under } = byAgent("under", "second", 1);
  const all = [byAgent("third", "root", 2), under, byAgent("second", "root", 3), root, session("other", "no part", 9)];
  const costs = new Map([
    ["root", 0.5],
    ["second", 0.25],
  ]);
  const shown = (id: string): readonly string[] =>
    sessionTreeLines(
      sessionTree(all, toSessionId(id)).map((node) =>
        treeEntry(node, { owned: new Set([toSessionId("under")]), costUsd: costs.get(node.session.id) ?? null }),
      ),
      now,
    );
  expect(shown("root")).toEqual([
    "the whole · done · began 10 min ago · 2 turns · $0.5000 · root",
    "├─ work of second · done · began 3 min ago · 1 turn · $0.2500 · second",
    "│  └─ work of under · running · began 60 s ago · 1 turn · cost unknown · under",
    "└─ work of third · done · began 2 min ago · 1 turn · cost unknown · third",
  ]);
  expect(shown("under")).toEqual(["work of under · running · began 60 s ago · 1 turn · cost unknown · under"]);
});
