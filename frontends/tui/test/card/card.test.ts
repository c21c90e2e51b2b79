import { type Interaction, type InteractionRequest, toInteractionId, toToolCallId } from "@capstan/protocol";
import { action, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Card,
  cardFor,
  type CardIntent,
  cardKey,
  cardText,
  choicesOf,
  quietMs,
  withFocus,
} from "../../src/card/card.ts";

function asked(id: string, request: InteractionRequest): Interaction {
  return {
    id: toInteractionId(id),
    request,
    digest: `digest of ${id}`,
    openedAt: 0,
    expiresAt: null,
    origin: { frontend: "tui" },
    answerers: [],
  };
}

function approval(id: string): Interaction {
  const request = {
    type: "approval",
    callId: toToolCallId(id),
    action: action("write_file", { path: id }),
    reason: "it changes",
    risk: "low",
    warnings: [],
    workspaceOffer: true,
    grant: { verdict: "allow", tool: "write_file", source: "grant", text: "write_file(a)" },
  } as const;
  return asked(id, request);
}

/** A card that is focused and stands on the screen. */
function open(pending: readonly Interaction[]): Card {
  const card = cardFor(null, pending, 0);
  if (card === null) throw new Error("nothing is asked");
  return { ...withFocus(card, true, 0, quietMs), isPainted: true };
}

function press(card: Card, pending: readonly Interaction[], ...keys: readonly string[]): readonly CardIntent[] {
  let now = card;
  let intents: readonly CardIntent[] = [];
  for (const key of keys) {
    if (now.words !== null && [...key].length === 1) {
      now = cardText(now, key);
      continue;
    }
    const update = cardKey(now, pending, key);
    now = update.card;
    intents = [...intents, ...update.intents];
  }
  return intents;
}

const one = [approval("a")];

test("a digit answers, bound to the digest of what was shown", () => {
  expect(press(open(one), one, "1")).toEqual([
    { type: "answer", id: "a", answer: { type: "approve", digest: "digest of a" } },
  ]);
  expect(press(open(one), one, "3")).toEqual([
    { type: "answer", id: "a", answer: { type: "approve", digest: "digest of a", scope: "workspace" } },
  ]);
});

test("nothing is chosen at first: Enter answers nothing until an arrow has chosen", () => {
  expect(press(open(one), one, "enter")).toEqual([]);
  expect(press(open(one), one, "right", "enter")).toEqual(press(open(one), one, "1"));
});

test("letters grant nothing and belong to the draft", () => {
  for (const letter of ["y", "s", "a", "Y", "o", "k"]) {
    const update = cardKey(open(one), one, letter);
    expect(update.intents).toEqual([]);
    expect(update.isForDraft).toBe(true);
    expect(update.card.focus).toBe("draft");
  }
});

test("a no takes words, and Esc takes them back", () => {
  expect(press(open(one), one, "5", "n", "o", "t", "enter")).toEqual([
    { type: "answer", id: "a", answer: { type: "deny", message: "not" } },
  ]);
  expect(press(open(one), one, "5", "enter")).toEqual([{ type: "answer", id: "a", answer: { type: "deny" } }]);
  expect(press(open(one), one, "5", "n", "escape", "enter")).toEqual([]);
});

test("an answer for good is offered only to whoever looked at the details", () => {
  const before = open(one);
  expect(press(before, one, "7")).toEqual([]);
  const { card, intents } = cardKey(before, one, "v");
  expect(intents).toEqual([{ type: "details", id: "a" }]);
  expect(card.isPainted).toBe(false);
  expect(press({ ...card, isPainted: true }, one, "7")).toEqual([
    { type: "answer", id: "a", answer: { type: "approve", digest: "digest of a", scope: "always" } },
  ]);
});

test("calls of one step are a list: each is answered with its own digest, and only those selected", () => {
  const three = [approval("a"), approval("b"), approval("c")];
  expect(press(open(three), three, "down", " ", "1")).toEqual([
    { type: "answer", id: "a", answer: { type: "approve", digest: "digest of a" } },
    { type: "answer", id: "c", answer: { type: "approve", digest: "digest of c" } },
  ]);
  expect(press(open(three), three, "d")).toEqual([]);
  expect(press(open(three), three, "d", "down", "d")).toEqual([]);
  expect(press(open(three), three, "d", "d")).toHaveLength(3);
});

test("an answer is sent once: the same key again is the draft's", () => {
  const first = cardKey(open(one), one, "1");
  expect(first.card.focus).toBe("draft");
  expect(withFocus(first.card, true, 0, 1e9).focus).toBe("draft");
});

test("questions are asked one by one, and sent together", () => {
  const questions = [
    { question: "Which?", options: [{ label: "red" }, { label: "blue" }], multiple: false },
    { question: "Which of them?", options: [{ label: "x" }, { label: "y" }], multiple: true },
    { question: "Why?", options: [], multiple: false },
  ];
  const pending = [asked("q", { type: "question", callId: toToolCallId("q"), questions })];
  const open3 = open(pending);
  expect(choicesOf(open3, pending).map(({ label }) => label)).toEqual([
    "red",
    "blue",
    "in words",
    "no answer",
    "later",
  ]);
  const intents = press(open3, pending, "2", "1", "2", "enter", "1", "s", "o", "enter");
  expect(intents).toEqual([
    { type: "answer", id: "q", answer: { type: "reply", answers: [["blue"], ["x", "y"], ["so"]] } },
  ]);
});

test("a plan is carried out, changed with words, or given up", () => {
  const pending = [asked("p", { type: "plan-review", callId: toToolCallId("p"), plan: "# Plan" })];
  const digest = "digest of p";
  expect(press(open(pending), pending, "1")).toEqual([
    { type: "answer", id: "p", answer: { type: "plan", digest, decision: "proceed" } },
  ]);
  expect(press(open(pending), pending, "3", "enter")).toEqual([]);
  expect(press(open(pending), pending, "3", "x", "enter")).toEqual([
    { type: "answer", id: "p", answer: { type: "plan", digest, decision: "adjust", message: "x" } },
  ]);
  expect(press(open(pending), pending, "4")).toEqual([
    { type: "answer", id: "p", answer: { type: "plan", digest, decision: "cancel" } },
  ]);
});

test("after a crash R runs again and D discards", () => {
  const pending = [asked("r", { type: "recovery", calls: [] })];
  expect(press(open(pending), pending, "R")).toEqual([{ type: "answer", id: "r", answer: { type: "run-again" } }]);
  expect(press(open(pending), pending, "d")).toEqual([{ type: "answer", id: "r", answer: { type: "discard" } }]);
});

test("a card takes the focus only in silence, with an empty draft, and a new card not before silence has come again", () => {
  const card = cardFor(null, one, 1000);
  if (card === null) throw new Error("nothing is asked");
  expect(withFocus(card, true, 900, 1000).focus).toBe("draft");
  expect(withFocus(card, false, 0, 5000).focus).toBe("draft");
  expect(withFocus(card, true, 400, 1000).focus).toBe("card");
  const next = cardFor({ ...card, focus: "card", isPainted: true }, [approval("b")], 2000);
  expect(next?.focus).toBe("draft");
  expect(next === null ? null : withFocus(next, true, 1990, 2000).focus).toBe("draft");
});

test("what is answered elsewhere closes the card; what is left is a new one", () => {
  const both = [approval("a"), approval("b")];
  const card = { ...open(both), chosen: 0, words: { digit: "5", text: "half" } };
  const left = cardFor(card, both.slice(1), 100);
  expect(left).toMatchObject({ ids: ["b"], focus: "draft", isPainted: false, chosen: null, words: null });
  expect(cardFor(card, [], 100)).toBeNull();
  expect(cardFor(card, both, 100)).toBe(card);
});

/**
 * The race: keys come at any time around the opening of a question. What the user meant is known: words typed before the card stood on
 * the screen for half a second are words.
 */
test("no key that came before the card was seen answers it, and no letter is lost", () => {
  const keys = fc.array(
    fc.record({ at: fc.integer({ min: -50, max: 600 }), key: fc.constantFrom(..."1234567yes do it".split("")) }),
    { maxLength: 12 },
  );
  const paints = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(keys, paints, (typed, paintMs) => {
      let card: Card | null = null;
      let [draft, lastKeyAt, paintedAt] = ["", -1000, Number.POSITIVE_INFINITY];
      const answers: number[] = [];
      const swallowed: string[] = [];
      const end = 1300;
      const times = typed.toSorted((a, b) => a.at - b.at);
      for (let now = -50; now <= end; now += 1) {
        for (const { key } of times.filter(({ at }) => at === now)) {
          const isSeen = card !== null && card.focus === "card" && card.isPainted;
          if (card !== null && isSeen && card.words !== null) {
            card = cardText(card, key);
            swallowed.push(key);
          } else if (card !== null && isSeen) {
            const update = cardKey(card, one, key);
            card = update.card;
            for (const intent of update.intents) if (intent.type === "answer") answers.push(now);
            if (update.isForDraft) draft += key;
            else swallowed.push(key);
          } else draft += key;
          lastKeyAt = now;
        }
        if (now === 0) card = cardFor(null, one, now);
        if (card !== null && card.focus === "draft") {
          card = withFocus(card, draft === "", lastKeyAt, now);
          if (card.focus === "card") paintedAt = now + paintMs;
        }
        if (card !== null && card.focus === "card" && now >= paintedAt) card = { ...card, isPainted: true };
      }
      expect(draft.length + swallowed.length).toBe(typed.length);
      const firstKey = times.find(({ at }) => at > -quietMs)?.at ?? end;
      // Whoever was typing when it opened, or before it was painted, has answered nothing.
      for (const at of answers) {
        expect(at).toBeGreaterThanOrEqual(paintedAt);
        expect(firstKey).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: runs(1000) },
  );
});
