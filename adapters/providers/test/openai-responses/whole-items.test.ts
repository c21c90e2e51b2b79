import type { JsonObject } from "@capstan/protocol";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { finishOf, joined, listen, provide } from "../fixtures/calls.ts";
import { cutEverywhere, expectDeltasToAddUp } from "../fixtures/cut-streams.ts";
import { receive } from "../fixtures/receive-responses.ts";
import {
  added,
  completed,
  created,
  delta,
  done,
  event,
  messageItem,
  reasoningItem,
  textPart,
} from "../fixtures/responses-streams.ts";
import { serve, streaming } from "../fixtures/wire-server.ts";

const begun: JsonObject = { ...messageItem(""), content: [], status: "in_progress" };
const item = messageItem("Hello.");

/** One message in every way that servers were seen to number its pieces. */
const numberings: Readonly<Record<string, readonly string[]>> = {
  "pieces under 1, the whole under 0": [
    added(0, begun),
    delta("output_text", 0, "Hel", { content_index: 1 }),
    delta("output_text", 0, "lo.", { content_index: 1 }),
    done(0, item),
    completed([item]),
  ],
  "a part announced under 0, its pieces under 1": [
    added(0, begun),
    event("content_part.added", { output_index: 0, content_index: 0, part: textPart("") }),
    delta("output_text", 0, "Hello.", { content_index: 1 }),
    event("output_text.done", { output_index: 0, content_index: 0, text: "Hello." }),
    event("content_part.done", { output_index: 0, content_index: 0, part: textPart("Hello.") }),
    done(0, item),
    completed([item]),
  ],
  "each event under another": [
    added(0, begun),
    delta("output_text", 0, "Hello.", { content_index: 2 }),
    event("output_text.done", { output_index: 0, content_index: 3, text: "Hello." }),
    event("content_part.done", { output_index: 0, content_index: 5, part: textPart("Hello.") }),
    done(0, item),
    completed([]),
  ],
  "the whole item under another place of the output": [
    added(0, begun),
    delta("output_text", 0, "Hello.", { content_index: 0 }),
    done(1, item),
    completed([]),
  ],
  "pieces that come once more after the whole": [
    added(0, begun),
    delta("output_text", 0, "Hello.", { content_index: 0 }),
    done(0, item),
    delta("output_text", 0, "Hello.", { content_index: 1 }),
    completed([]),
  ],
};

test.each(Object.entries(numberings))("a whole item replaces what its pieces showed: %s", async (_name, events) => {
  const received = await receive(created, ...events);
  expect(finishOf(received).message.content).toEqual([{ type: "text", text: "Hello." }]);
  expect(joined(received.parts).text).toBe("Hello.");
});

test("the vendor's SDK reads the same out of pieces under another number", async () => {
  const events = [created, ...(numberings["pieces under 1, the whole under 0"] ?? [])];
  const server = await serve(streaming(events.join("")));
  const sdk = new OpenAI({ apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const stream = await sdk.responses.create({ model: "m", input: "hi", stream: true });
  let text = "";
  for await (const part of stream) if (part.type === "response.completed") text = textOf(part.response);
  const received = await listen(provide("openai-responses", server.url));
  expect(finishOf(received).message.content).toEqual([{ type: "text", text }]);
});

test("cut at any byte, such a stream reads the same", async () => {
  const events = [created, ...(numberings["each event under another"] ?? [])];
  await cutEverywhere("openai-responses", events, (received, whole) => {
    expect(finishOf(received)).toEqual(finishOf(whole));
    expectDeltasToAddUp(received);
  });
});

test("two texts of one message stay two, also where both say the same", async () => {
  const both = { ...item, content: [textPart("a"), textPart("a")] };
  const received = await receive(
    created,
    added(0, begun),
    delta("output_text", 0, "a", { content_index: 0 }),
    event("output_text.done", { output_index: 0, content_index: 0, text: "a" }),
    delta("output_text", 0, "a", { content_index: 1 }),
    event("output_text.done", { output_index: 0, content_index: 1, text: "a" }),
    done(0, both),
    completed([both]),
  );
  const said = { type: "text", text: "a" };
  expect(finishOf(received).message.content).toEqual([said, said]);
  expect(joined(received.parts).text).toBe("aa");
});

test("thinking whose sections are numbered otherwise is not thought twice", async () => {
  const whole = reasoningItem("rs_1", "a", "b");
  const received = await receive(
    created,
    added(0, { ...whole, summary: [] }),
    event("reasoning_summary_text.delta", { output_index: 0, summary_index: 1, delta: "a" }),
    event("reasoning_summary_text.delta", { output_index: 0, summary_index: 2, delta: "b" }),
    done(0, whole),
    completed([whole]),
  );
  expect(joined(received.parts).thinking).toBe("a\n\nb");
  expect(finishOf(received).message.content[0]).toEqual({ type: "thinking", text: "a\n\nb" });
});

function textOf({ output }: OpenAI.Responses.Response): string {
  return output
    .flatMap((entry) => (entry.type === "message" ? entry.content : []))
    .map((part) => (part.type === "output_text" ? part.text : part.refusal))
    .join("");
}
