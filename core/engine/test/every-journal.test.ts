import { conversation, evolve, initialState, modelRequest, type SessionState } from "@capstan/session";
import { decide } from "@capstan/engine";
import type { JournalRecord, ModelRequest, ModelSettings } from "@capstan/protocol";
import { toAnthropicBody, toChatBody, toGoogleBody, toResponsesBody } from "@capstan/providers";
import { checkAnthropicRequest, checkChatRequest, checkGoogleRequest, checkResponsesRequest } from "@capstan/rehearsal";
import {
  checkEffects,
  checkInvariants,
  configVariants,
  type Played,
  playMoves,
  playOn,
  playToRest,
  pruned,
  randomMoves,
  restarts,
  revoiced,
  voices,
  runs,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

/** Any session, in any settings, with whatever a model, a user, a world and a restart may do to it. */
const sessions: fc.Arbitrary<Played> = fc
  .tuple(randomMoves, fc.nat(configVariants - 1))
  .map(([moves, variant]) => playMoves(moves, variant));

test("every journal keeps the invariants on every prefix", () => {
  fc.assert(
    fc.property(sessions, (played) => {
      expect(checkInvariants(played.journal)).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});

test("nothing runs without a durable intent, and no effect runs twice, whatever restarts", () => {
  fc.assert(
    fc.property(sessions, (played) => {
      expect(checkEffects(played)).toEqual([]);
    }),
    { numRuns: runs(600) },
  );
});

test("every prefix of every journal, whoever gave its answers, projects to a request that all four wires accept", () => {
  fc.assert(
    fc.property(sessions, fc.array(fc.nat(voices.length - 1), { minLength: 1, maxLength: 8 }), (played, choices) => {
      const journal = revoiced(played.journal, choices);
      let state = initialState;
      const refused = journal.flatMap((record) => {
        state = evolve(state, record);
        return refusalsOf(state);
      });
      expect(refused).toEqual([]);
    }),
    { numRuns: runs(120) },
  );
});

test("from every prefix of every journal a restarted session comes to rest, and keeps the invariants", () => {
  fc.assert(
    fc.property(sessions, fc.nat(), (played, place) => {
      const cuts = wholeDecisions(played);
      const cut = cuts[place % cuts.length] ?? played;
      const rested = playToRest(playOn(cut, restarts), 400);
      expect(rested.state.operation).toEqual({ type: "idle" });
      expect(checkInvariants(rested.journal)).toEqual([]);
      expect(checkEffects(rested)).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

test("a journal that is cut anywhere, as a fork may cut it, still leads to rest, and no effect runs twice", () => {
  fc.assert(
    fc.property(sessions, fc.nat(), (played, place) => {
      const journal = played.journal.slice(0, 2 + (place % Math.max(1, played.journal.length - 2)));
      const cut = { ...played, journal, moves: [], effects: [], state: journal.reduce(evolve, initialState) };
      const rested = playToRest(playOn(cut, restarts), 400);
      expect(rested.state.operation).toEqual({ type: "idle" });
      expect(checkEffects(rested)).toEqual([]);
    }),
    { numRuns: runs(500) },
  );
});

test("a restart that happens twice has the effect of one", () => {
  fc.assert(
    fc.property(sessions, fc.nat(), (played, place) => {
      const cuts = wholeDecisions(played);
      const once = playOn(cuts[place % cuts.length] ?? played, restarts);
      const twice = playOn(once, restarts);
      expect(conversation(twice.state)).toEqual(conversation(once.state));
      expect(checkEffects(twice)).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});

test("decide gives the same answer twice, changes nothing it was given, and never throws", () => {
  fc.assert(
    fc.property(sessions, ({ moves }) => {
      for (const [at, { stimulus, records, effects }] of moves.entries()) {
        const before = moves[at - 1]?.state;
        if (before === undefined) continue;
        const frozen = deepFreeze(structuredClone(before));
        expect(decide(frozen, stimulus)).toMatchObject({ records, effects });
        expect(decide(frozen, stimulus)).toEqual(decide(frozen, stimulus));
      }
    }),
    { numRuns: runs(100) },
  );
});

test("evolve is total: records in any order, of any session, lead to a state that is plain JSON", () => {
  fc.assert(
    fc.property(fc.array(sessions, { minLength: 2, maxLength: 3 }), fc.infiniteStream(fc.nat()), (several, choices) => {
      const shuffled = shuffle(
        several.flatMap(({ journal }) => journal),
        choices,
      );
      const state = shuffled.reduce(evolve, initialState);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      expect(() => modelRequest(state)).not.toThrow();
    }),
    { numRuns: runs(100) },
  );
});

test("a journal without its superseded deltas folds to the same state", () => {
  fc.assert(
    fc.property(sessions, fc.nat(), ({ journal }, place) => {
      const prefix = journal.slice(0, place % (journal.length + 1));
      expect(pruned(prefix).reduce(evolve, initialState)).toEqual(prefix.reduce(evolve, initialState));
    }),
    { numRuns: runs(200) },
  );
});

/** Whatever a wire refuses about the request for this state, when its own vendor is asked. */
function refusalsOf(state: SessionState): readonly unknown[] {
  const settings = state.config?.model;
  if (settings === undefined || state.conversation.length === 0) return [];
  return voices
    .filter(({ provider }) => provider !== "gateway")
    .flatMap((voice): readonly unknown[] => {
      const model = { ...settings, provider: voice.provider, id: voice.model, wire: voice.wire };
      const config = state.config === null ? null : { ...state.config, model };
      return problemsOf(modelRequest({ ...state, config }), model);
    })
    .filter((problem) => problem !== undefined);
}

function problemsOf(request: ModelRequest, model: ModelSettings): readonly unknown[] {
  switch (model.wire) {
    case "anthropic": {
      const thinking: ModelSettings = { ...model, options: { thinking: "enabled", thinking_budget: 1024 } };
      return [model, thinking].map((settings) => checkAnthropicRequest(toAnthropicBody(request, settings)));
    }
    case "openai-responses":
      return [checkResponsesRequest(toResponsesBody(request, model))];
    case "openai-chat":
      return [checkChatRequest(toChatBody(request, model))];
    default:
      // With and without signatures that must be there.
      return [model.id, "gemini-2.5-pro"].map((id) =>
        checkGoogleRequest(toGoogleBody(request, { ...model, id }), { model: id }),
      );
  }
}

/** A process dies between decisions: the records of one decision are one transaction. */
function wholeDecisions(played: Played): readonly Played[] {
  let cut: Played = { ...played, journal: played.journal.slice(0, 2), moves: [], effects: [] };
  const cuts = [];
  for (const move of played.moves) {
    cut = {
      journal: [...cut.journal, ...move.records],
      moves: [...cut.moves, move],
      state: move.state,
      effects: [...cut.effects, ...move.effects],
      last: move,
    };
    cuts.push(cut);
  }
  return cuts;
}

function shuffle(records: readonly JournalRecord[], choices: Stream): readonly JournalRecord[] {
  const left = [...records];
  const taken: JournalRecord[] = [];
  for (const choice of choices) {
    taken.push(...left.splice(choice % left.length, 1));
    if (left.length === 0) return taken;
  }
  return taken;
}

type Stream = Iterable<number>;

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
  return value;
}

test("among random journals are summaries that were made beside turns, given up and waited for", () => {
  const seen = new Set<string>();
  for (const [variant, moves] of fc.sample(randomMoves, { numRuns: 300, seed: 7 }).entries()) {
    let open: string | null = null;
    for (const { records, state } of playMoves(moves, (4 * variant + 3) % configVariants).moves) {
      for (const record of records) {
        if (record.type.startsWith("summary-")) seen.add(record.type);
        if (record.type === "compaction-started" && record.stepId === open) seen.add("waited for");
      }
      open = state.background?.stepId ?? null;
    }
  }
  expect([...seen].toSorted()).toEqual(["summary-dropped", "summary-made", "summary-started", "waited for"]);
});
