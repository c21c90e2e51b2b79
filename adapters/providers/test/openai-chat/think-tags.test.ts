import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ThinkTags } from "../../src/openai-chat/think-tags.ts";
import { limits } from "../../src/limits.ts";
import { ask, finishOf, joined, model, provide, simpleRequest } from "../fixtures/calls.ts";
import { delta, done, finished } from "../fixtures/chat-streams.ts";
import { cutAnywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

interface Reported {
  readonly thinking: string;
  readonly text: string;
}

function split(setting: "on" | "auto", pieces: readonly string[]): Reported {
  const reported = { thinking: "", text: "" };
  const tags = new ThinkTags(setting, {
    thinking: (piece) => (reported.thinking += piece),
    text: (piece) => (reported.text += piece),
  });
  for (const piece of pieces) tags.add(piece);
  tags.end();
  return reported;
}

const answers: readonly (readonly ["on" | "auto", string, Reported])[] = [
  ["auto", "<think>hm</think>yes", { thinking: "hm", text: "yes" }],
  ["auto", "\n <think>\nhm\n</think>\n\nyes\n", { thinking: "hm\n", text: "yes\n" }],
  ["auto", "<think>\n\n</think>\n\nyes", { thinking: "", text: "yes" }],
  ["auto", "<thinking>a < b</thinking>yes", { thinking: "a < b", text: "yes" }],
  ["auto", "[THINK]hm[/THINK]yes", { thinking: "hm", text: "yes" }],
  ["auto", "<seed:think>hm</seed:think>yes", { thinking: "hm", text: "yes" }],
  ["auto", "<think>hm</thi", { thinking: "hm</thi", text: "" }],
  ["auto", "<think>only", { thinking: "only", text: "" }],
  ["auto", "<think>a</thinking>b</think>c", { thinking: "a</thinking>b", text: "c" }],
  ["auto", "<think>a</think>b<think>c</think>", { thinking: "a", text: "b<think>c</think>" }],
  ["auto", "The `<think>` tag", { thinking: "", text: "The `<think>` tag" }],
  ["auto", "```\n<think>x</think>\n```", { thinking: "", text: "```\n<think>x</think>\n```" }],
  ["auto", " <thin", { thinking: "", text: " <thin" }],
  ["auto", "hm</think>yes", { thinking: "", text: "hm</think>yes" }],
  ["auto", "", { thinking: "", text: "" }],
  ["auto", " \n", { thinking: "", text: " \n" }],
  ["on", "hm</think>\n\nyes", { thinking: "hm", text: "yes" }],
  ["on", "<think>hm</think>yes", { thinking: "hm", text: "yes" }],
  ["on", "hm</think>a</think>b", { thinking: "hm", text: "a</think>b" }],
  ["on", " no tags at all <", { thinking: "", text: " no tags at all <" }],
];

test("thinking between tags at the start of an answer is thinking; everything else is text", () => {
  for (const [setting, answer, expected] of answers)
    expect([answer, split(setting, [answer])]).toEqual([answer, expected]);
});

test("however an answer is cut, it says the same", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...answers),
      fc.array(fc.nat(60), { maxLength: 12 }),
      ([setting, answer, expected], cuts) => {
        expect(split(setting, cut(answer, cuts))).toEqual(expected);
      },
    ),
    { numRuns: 2000 },
  );
  for (const [setting, answer, expected] of answers) expect(split(setting, answer.split(""))).toEqual(expected);
});

function cut(text: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((place) => place % Math.max(1, text.length)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
}

test("a missing opening tag is waited for within a limit, and white space as well", () => {
  const long = "x".repeat(limits.thinkHeldChars + 1);
  expect(split("on", [long, "y</think>z"])).toEqual({ thinking: `${long}y`, text: "z" });
  const blank = " ".repeat(limits.thinkLeadChars + 1);
  expect(split("auto", [blank, "<think>"])).toEqual({ thinking: "", text: `${blank}<think>` });
  expect(split("auto", [`${blank}<think>`])).toEqual({ thinking: "", text: `${blank}<think>` });
});

test("a stream with tags gives thinking and text, live and in the message", async () => {
  const events = [delta({ content: "<th" }), delta({ content: "ink>h" }), delta({ content: "m</think>\n\nyes 😀" })];
  const server = await serve(streaming(...events, finished("stop"), done));
  const asked = { request: simpleRequest, model: model({ think_tags: "auto" }) };
  const received = await ask(provide("openai-chat", server.url), asked);
  expect(finishOf(received).message.content).toEqual([
    { type: "thinking", text: "hm" },
    { type: "text", text: "yes 😀" },
  ]);
  expect(received.parts.slice(0, -1).map((part) => part.type)).toEqual([
    "thinking-delta",
    "thinking-delta",
    "text-delta",
  ]);
  await cutAnywhere(
    "openai-chat",
    [[...events, finished("stop"), done]],
    (cutUp, whole) => {
      expectDeltasToAddUp(cutUp);
      expect([finishOf(cutUp), joined(cutUp.parts)]).toEqual([finishOf(whole), joined(whole.parts)]);
    },
    asked,
  );
});

test("tags are text unless they are asked for", async () => {
  const server = await serve(streaming(delta({ content: "<think>hm</think>yes" }), finished("stop"), done));
  const received = await ask(provide("openai-chat", server.url), { request: simpleRequest, model: model() });
  expect(finishOf(received).message.content).toEqual([{ type: "text", text: "<think>hm</think>yes" }]);
});
