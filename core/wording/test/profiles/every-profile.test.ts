import { evolve, initialState, modelRequest, type SessionState } from "@capstan/session";
import { type JournalRecord, type ModelSettings, toolProfiles, type ToolProfileName } from "@capstan/protocol";
import { toAnthropicBody, toChatBody, toGoogleBody, toResponsesBody } from "@capstan/providers";
import { checkAnthropicRequest, checkChatRequest, checkGoogleRequest, checkResponsesRequest } from "@capstan/rehearsal";
import { configVariants, playMoves, randomMoves, revoiced, runs, voices } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inOurWords } from "../../src/profiles/in-profile.ts";
import { writtenSamples } from "./written-calls.ts";

type Words = readonly { readonly profile: ToolProfileName; readonly sample: number }[];

test("every prefix of every journal, whatever words its answers were written in, gives a valid request in any words, on every wire", () => {
  const words = fc.array(fc.record({ profile: fc.constantFrom(...toolProfiles), sample: fc.nat(20) }), {
    minLength: 1,
    maxLength: 8,
  });
  const choices = fc.array(fc.nat(voices.length - 1), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(randomMoves, fc.nat(configVariants - 1), words, choices, (moves, variant, inWords, spoken) => {
      const written = rewritten(playMoves(moves, variant).journal, inWords);
      let state = initialState;
      const refused = inJournalWords(revoiced(written, spoken), inWords).flatMap((record) => {
        state = evolve(state, record);
        return toolProfiles.flatMap((profile) => refusalsOf(state, profile));
      });
      expect(refused).toEqual([]);
    }),
    { numRuns: runs(40) },
  );
});

/** The journal as if its models had written calls of these profiles in turn. */
function rewritten(journal: readonly JournalRecord[], words: Words): readonly JournalRecord[] {
  return eachAnswer(journal, words, (message, { profile, sample }) => ({
    ...message,
    content: message.content.map((block, index) => {
      const samples = writtenSamples[profile];
      const call = samples[(sample + index) % samples.length];
      if (block.type !== "tool-call" || call === undefined) return block;
      const args =
        block.arguments.type === "malformed" ? block.arguments : { type: "json" as const, value: call.arguments };
      return {
        ...block,
        name: call.name,
        arguments: args,
        ...(call.freeform === true ? { freeform: true as const } : {}),
      };
    }),
  }));
}

function inJournalWords(journal: readonly JournalRecord[], words: Words): readonly JournalRecord[] {
  return eachAnswer(journal, words, (message, { profile }) => inOurWords(message, settingsOf(profile)));
}

type Answered = Extract<JournalRecord, { readonly type: "step-completed" }>["message"];

function eachAnswer(
  journal: readonly JournalRecord[],
  words: Words,
  change: (message: Answered, words: Words[number]) => Answered,
): readonly JournalRecord[] {
  let answers = 0;
  return journal.map((record) => {
    if (record.type !== "step-completed") return record;
    const chosen = words[answers % words.length];
    answers += 1;
    return chosen === undefined ? record : { ...record, message: change(record.message, chosen) };
  });
}

function settingsOf(profile: ToolProfileName): ModelSettings {
  const sizes = { contextWindowTokens: 100_000, maxOutputTokens: 1000, options: {} };
  const settings = { provider: "p", id: "m", wire: "w", ...sizes };
  return profile === "own" ? settings : { ...settings, toolProfile: profile };
}

function refusalsOf(state: SessionState, toolProfile: ToolProfileName): readonly unknown[] {
  const settings = state.config?.model;
  if (settings === undefined || state.conversation.length === 0) return [];
  return voices
    .filter(({ provider }) => provider !== "gateway")
    .map((voice) => {
      const model = { ...settings, provider: voice.provider, id: voice.model, wire: voice.wire, toolProfile };
      const config = state.config === null ? null : { ...state.config, model };
      return problemOf(model, modelRequest({ ...state, config }, model));
    })
    .filter((problem) => problem !== undefined);
}

function problemOf(model: ModelSettings, request: ReturnType<typeof modelRequest>): unknown {
  switch (model.wire) {
    case "anthropic":
      return checkAnthropicRequest(toAnthropicBody(request, model));
    case "openai-responses":
      return checkResponsesRequest(toResponsesBody(request, model));
    case "openai-chat":
      return checkChatRequest(toChatBody(request, model));
    default:
      return checkGoogleRequest(toGoogleBody(request, model), { model: model.id });
  }
}
