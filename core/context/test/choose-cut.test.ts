import { chooseCut, messageTokens } from "@capstan/context";
import type { Message } from "@capstan/protocol";
import { toToolCallId } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const origin = { provider: "test", model: "one", wire: "anthropic" };
const answer = (text: string): Message => ({ role: "assistant", origin, content: [{ type: "text", text }] });
const asks = (id: string): Message => ({
  role: "assistant",
  origin,
  content: [{ type: "tool-call", callId: toToolCallId(id), name: "look", arguments: { type: "json", value: {} } }],
});
const result = (id: string, content: string): Message => ({
  role: "user",
  content: [{ type: "tool-result", callId: toToolCallId(id), toolName: "look", content, isError: false }],
});

const turn = (id: string): readonly Message[] => [user(id), asks(id), result(id, "y".repeat(400)), answer("done")];

/** Turns of any number of rounds and any length. */
const conversations = fc
  .array(fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 5 }), { minLength: 1, maxLength: 12 })
  .map((turns) =>
    turns.flatMap((rounds, number) => [
      user(`turn ${number}`),
      ...rounds.flatMap((size, round) => [asks(`${number}.${round}`), result(`${number}.${round}`, "x".repeat(size))]),
      answer("done"),
    ]),
  );

const bounds = fc.record({
  already: fc.integer({ min: 0, max: 10 }),
  room: fc.integer({ min: 0, max: 5000 }),
  readable: fc.integer({ min: 0, max: 5000 }),
});

test("a cut never parts a call from its result, never takes the last four messages, and always gains something", () => {
  fc.assert(
    fc.property(conversations, bounds, (messages, within) => {
      const count = chooseCut(messages, within);
      if (count === 0) return;
      expect(count).toBeGreaterThan(within.already);
      expect(count).toBeLessThanOrEqual(messages.length - 4);
      const next = messages[count];
      expect(next?.content.some((block) => block.type === "tool-result")).toBe(false);
      const last = messages[count - 1];
      expect(last?.content.some((block) => block.type === "tool-call")).toBe(false);
    }),
  );
});

test("a cut leaves the rest room wherever one can, and takes no more than whoever summarises can read", () => {
  fc.assert(
    fc.property(conversations, fc.integer({ min: 0, max: 5000 }), (messages, room) => {
      const all = chooseCut(messages, { already: 0, room, readable: Infinity });
      const most = chooseCut(messages, { already: 0, room: 0, readable: Infinity });
      const behind = (count: number): number =>
        messages.slice(count).reduce((sum, each) => sum + messageTokens(each), 0);
      expect(all === 0 ? true : behind(all) <= room || all === most).toBe(true);
    }),
  );
});

test("where a user speaks not far behind, the summary reaches up to there", () => {
  const messages = [...turn("a"), ...turn("b"), ...turn("c"), ...turn("d")];
  const size = messages.slice(8).reduce((sum, message) => sum + messageTokens(message), 0);
  expect(chooseCut(messages, { already: 0, room: size + 10, readable: Infinity })).toBe(8);
});

test("nothing is summarised twice, and a short conversation not at all", () => {
  const messages = [user("a"), answer("b"), user("c"), answer("d"), user("e"), answer("f")];
  expect(chooseCut(messages, { already: 0, room: 0, readable: Infinity })).toBe(2);
  expect(chooseCut(messages, { already: 2, room: 0, readable: Infinity })).toBe(0);
  expect(chooseCut(messages.slice(0, 4), { already: 0, room: 0, readable: Infinity })).toBe(0);
});
