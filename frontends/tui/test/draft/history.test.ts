import { expect, test } from "vitest";
import { type Draft, draftOf, draftText, emptyDraft, insertPaste, insertText } from "../../src/draft/draft.ts";
import {
  addToHistory,
  emptyHistory,
  entryText,
  type History,
  historyOf,
  searchHistory,
  takeEntry,
  walkHistory,
  withEarlier,
} from "../../src/draft/history.ts";

/** Walks, and types what is no direction. */
function walked(history: History, draft: Draft, moves: readonly string[]): string {
  let now = { history, draft };
  for (const move of moves)
    if (move === "older" || move === "newer") now = walkHistory(now.history, now.draft, move) ?? now;
    else now = { ...now, draft: insertText(now.draft, move) };
  return draftText(now.draft);
}

test("what was sent before the process stands before the rest, none twice, and who walks stays where they are", () => {
  const begun = walkHistory(
    addToHistory(addToHistory(emptyHistory, draftOf("two")), draftOf("three")),
    draftOf("new"),
    "older",
  );
  expect(begun).not.toBeNull();
  const history = withEarlier(begun?.history ?? emptyHistory, [draftOf("one"), draftOf("two")]);
  expect([history.entries, history.isWhole]).toEqual([["one", "two", "three"], true]);
  expect(walked(history, draftOf("three"), ["older", "older"])).toBe("one");
  expect(walked(history, draftOf("three"), ["newer"])).toBe("new");
});

const three = historyOf(["one", "two", "three"]);

test.each([
  ["older", "three"],
  ["older older", "two"],
  ["older older older older older", "one"],
  ["older older newer", "three"],
  ["older newer", "draft"],
  ["newer", "draft"],
  ["older older newer newer newer", "draft"],
  ["older + newer", "draft"],
  ["older + newer older", "three+"],
  ["older + older newer", "three+"],
  ["older newer + older newer", "draft+"],
])("walking %s shows %j, and nothing that was written is lost by it", (moves, text) => {
  expect(walked(three, draftOf("draft"), moves.split(" "))).toBe(text);
});

test("what was sent is the newest entry, and the walk begins there again", () => {
  const first = walkHistory(three, emptyDraft, "older");
  const history = addToHistory(first?.history ?? emptyHistory, draftOf("four"));
  expect(walked(history, emptyDraft, ["older"])).toBe("four");
  expect(walked(history, emptyDraft, ["older", "older"])).toBe("three");
  expect(history.entries).toEqual(["one", "two", "three", "four"]);
});

test("what is sent again moves to the newest, and an empty draft is no entry", () => {
  expect(addToHistory(three, draftOf("one")).entries).toEqual(["two", "three", "one"]);
  expect(addToHistory(three, draftOf("  \n")).entries).toEqual(three.entries);
});

test("100 prompts and 50 commands are kept, the newest", () => {
  let history = emptyHistory;
  for (let number = 1; number <= 130; number += 1) {
    history = addToHistory(history, draftOf(`prompt ${number}`));
    history = addToHistory(history, draftOf(`!command ${number}`));
  }
  const commands = history.entries.filter((entry) => entry.startsWith("!"));
  expect(history.entries.length).toBe(150);
  expect([commands.length, commands[0], commands.at(-1)]).toEqual([50, "!command 81", "!command 130"]);
  expect(history.entries[0]).toBe("prompt 31");
});

test("search finds entries that hold all words, the newest first", () => {
  const history = historyOf(["Fix the tests", "run it", "write tests, then fix"]);
  expect(searchHistory(history, "fix TESTS")).toEqual(["write tests, then fix", "Fix the tests"]);
  expect(searchHistory(history, "")).toEqual(["write tests, then fix", "run it", "Fix the tests"]);
  expect(searchHistory(history, "nothing")).toEqual([]);
});

test("an entry that was found is walked from, and the draft is still there", () => {
  const taken = takeEntry(three, draftOf("draft"), "two");
  expect(draftText(taken.draft)).toBe("two");
  expect(walked(taken.history, taken.draft, ["older"])).toBe("one");
  expect(walked(taken.history, taken.draft, ["newer", "newer"])).toBe("draft");
});

test("a paste comes back from the history as what it was, and a huge one as its label", () => {
  const limits = { lines: 1, characters: 10 };
  const small = addToHistory(emptyHistory, insertPaste(draftOf("see "), "1\n2\n3", limits));
  const back = walkHistory(small, emptyDraft, "older");
  expect(back?.draft.lines[0]?.at(-1)).toEqual({ type: "paste", number: 1, text: "1\n2\n3" });
  expect(searchHistory(small, "paste see").map(entryText)).toEqual(["see [Paste #1 3 lines]"]);
  const huge = addToHistory(emptyHistory, insertPaste(emptyDraft, "x\n".repeat(200_000), limits));
  expect(huge.entries).toEqual(["[Paste #1 200001 lines]"]);
});
