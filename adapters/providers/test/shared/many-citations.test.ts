import type { JsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import { limits } from "../../src/limits.ts";
import * as anthropic from "../fixtures/anthropic-streams.ts";
import { finishOf, listen, provide, type WireName } from "../fixtures/calls.ts";
import * as chat from "../fixtures/chat-streams.ts";
import * as responses from "../fixtures/responses-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const many: readonly JsonObject[] = Array.from({ length: limits.blocks + 1000 }, (_, at) => ({
  title: `source ${at}`,
}));

const streams: readonly (readonly [WireName, readonly string[]])[] = [
  [
    "anthropic",
    [
      anthropic.start(),
      ...anthropic.block(
        0,
        { type: "text", text: "said" },
        ...many.map((citation) => ({ type: "citations_delta", citation })),
      ),
      ...anthropic.stop("end_turn"),
    ],
  ],
  ["openai-chat", [chat.delta({ content: "said", annotations: many }), chat.finished("stop"), chat.done]],
  [
    "openai-responses",
    [
      responses.created,
      responses.completed([responses.messageItem("", { content: [responses.textPart("said", many)] })]),
    ],
  ],
];

test.each(streams)("an answer on %s keeps so many citations, and its text", async (wire, events) => {
  const server = await serve(streaming(events.join("")));
  const { content } = finishOf(await listen(provide(wire, server.url))).message;
  expect(content).toEqual([{ type: "text", text: "said", citations: many.slice(0, limits.blocks) }]);
});
