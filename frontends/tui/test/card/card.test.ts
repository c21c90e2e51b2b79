import { type Interaction, type InteractionRequest, toInteractionId, toToolCallId } from "@capstan/protocol";
import type { Asked } from "../../src/card/card-choices.ts";
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
function open(pending: readonly Asked[]): Card {
  const card = cardFor(null, pending, 0);
  if (card === null) throw new Error("nothing is asked");
  return { ...withFocus(card, true, 0, quietMs), isPainted: true };
}

function press(card: Card, pending: readonly Asked[], ...keys: readonly string[]): readonly CardIntent[] {
  let now = card;
  let intents: readonly CardIntent[] = [];
  for (const key of keys) {
    if (now.words !== null && key.length === 1) {
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

test("what was put away takes the focus no more by itself: what is typed next is words, and Tab leads back", () => {
  for (const key of ["escape", "6"]) {
    const { card, intents } = cardKey(open(one), one, key);
    expect(intents).toEqual([{ type: "later" }]);
    expect(withFocus(card, true, 0, 1e9).focus).toBe("draft");
    expect(cardFor(card, one, 1e9)).toBe(card);
  }
});

function proposed(path: string): Asked {
  const change = { path, kind: "modified", addedLines: 1, removedLines: 1, lines: [] } as const;
  const file = { proposal: "p1", path: `/w/${path}` };
  return { id: path, digest: "", request: { type: "proposed", file, summary: "s", change, leftAlone: null } };
}

function led(pending: readonly Asked[]): Card {
  const card = cardFor(null, pending, 0);
  if (card === null) throw new Error("nothing is proposed");
  expect(withFocus(card, true, 0, 1e9).focus).toBe("draft");
  return { ...card, focus: "card", isPainted: true };
}

function settle(decision: "apply" | "refuse", ...ids: readonly string[]): CardIntent {
  return { type: "settle", decision, ids };
}

test("proposed files are one card, which nobody is led to unasked; an answer is for those that are marked", () => {
  const files = ["a", "b", "c"].map(proposed);
  expect(press(led(files), files, "1")).toEqual([settle("apply", "a", "b", "c")]);
  expect(press(led(files), files, "down", " ", "2")).toEqual([settle("refuse", "a", "c")]);
  expect(press(led(files), files, " ", "down", " ", "down", " ", "1")).toEqual([]);
  expect(press(led(files), files, " ", "d", "d")).toEqual([settle("refuse", "a", "b", "c")]);
  expect(press(led(files.slice(1, 2)), files.slice(1, 2), "1")).toEqual([settle("apply", "b")]);
  const after = cardKey(led(files), files, "1").card;
  expect(cardFor(after, files.slice(2), 5)).toMatchObject({ ids: ["c"], focus: "draft", waitsForTab: true });
});

test("with no call marked an answer is for none, and the card stays", () => {
  const two = [approval("a"), approval("b")];
  const { card, intents } = cardKey({ ...open(two), selected: [] }, two, "1");
  expect([intents, card.focus]).toEqual([[], "card"]);
});

/** A user at a screen: keys come, questions open, and frames take a while to be painted. */
class Race {
  card: Card | null = null;
  draft = "";
  swallowed = "";
  /** When an answer was given, and when the card had been painted before it. */
  answers: readonly { readonly at: number; readonly paintedAt: number }[] = [];
  readonly #paintMs: number;
  #lastKeyAt = -1000;
  #paintedAt = Number.POSITIVE_INFINITY;

  constructor(paintMs: number) {
    this.#paintMs = paintMs;
  }

  key(key: string, now: number): void {
    this.#lastKeyAt = now;
    const { card } = this;
    if (card === null || card.focus !== "card" || !card.isPainted) {
      this.draft += key;
      return;
    }
    if (card.words !== null) {
      this.card = cardText(card, key);
      this.swallowed += key;
      return;
    }
    const update = cardKey(card, one, key);
    this.card = update.card;
    const given = update.intents.filter(({ type }) => type === "answer");
    this.answers = [...this.answers, ...given.map(() => ({ at: now, paintedAt: this.#paintedAt }))];
    if (update.isForDraft) this.draft += key;
    else this.swallowed += key;
  }

  tick(now: number): void {
    if (now === 0) this.card = cardFor(null, one, now);
    if (this.card === null) return;
    if (this.card.focus === "draft") {
      this.card = withFocus(this.card, this.draft === "", this.#lastKeyAt, now);
      if (this.card.focus === "card") this.#paintedAt = now + this.#paintMs;
    }
    if (this.card.focus === "card" && now >= this.#paintedAt) this.card = { ...this.card, isPainted: true };
  }
}

test("keys around the opening of a question: none that came before the card was seen answers it, and none is lost", () => {
  const keys = fc.array(
    fc.record({ at: fc.integer({ min: -50, max: 600 }), key: fc.constantFrom(..."1234567yes do it".split("")) }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(keys, fc.integer({ min: 0, max: 60 }), (typed, paintMs) => {
      const race = new Race(paintMs);
      for (let now = -50; now <= 1300; now += 1) {
        for (const { key } of typed.filter(({ at }) => at === now)) race.key(key, now);
        race.tick(now);
      }
      expect(race.draft.length + race.swallowed.length).toBe(typed.length);
      // Whoever was typing when it opened has answered nothing: they have words in the draft, or typed within half a second.
      const wasTyping = typed.some(({ at }) => at < 0 && at > -quietMs);
      expect(race.answers.filter(({ at, paintedAt }) => at < paintedAt || wasTyping)).toEqual([]);
    }),
    { numRuns: runs(10_000) },
  );
});

const leftOpen = (hasTurn: boolean): readonly Asked[] => [
  { id: "left-open", digest: "", request: { type: "left-open", lines: [], hasTurn } },
  approval("a"),
];

test("what was left open is asked about first, by itself: R and 1 resume, D and 2 discard, and nothing does both", () => {
  const waiting = leftOpen(true);
  expect(open(waiting).ids).toEqual(["left-open"]);
  for (const key of ["r", "R", "1"]) expect(press(open(waiting), waiting, key)).toEqual([{ type: "resume" }]);
  for (const key of ["d", "D", "2"]) expect(press(open(waiting), waiting, key)).toEqual([{ type: "discard" }]);
  const once = cardKey(open(waiting), waiting, "r").card;
  expect(withFocus(once, true, 0, 1e9).focus).toBe("draft");
});

test("where no turn is open there is nothing to discard, and D is the draft's", () => {
  const waiting = leftOpen(false);
  const update = cardKey(open(waiting), waiting, "d");
  expect(update.intents).toEqual([]);
  expect(update.isForDraft).toBe(true);
  expect(press(open(waiting), waiting, "2")).toEqual([{ type: "later" }]);
});
