import { conversation } from "@capstan/session";
import { expect, test } from "vitest";
import { askedAgain } from "./requests-of.ts";
import { events, reported } from "./reported-to-model.ts";

const data = "aGVsbG8=";
const url = `data:image/png;base64,${data}`;
const mark = "[image/png, shown after the results]";

const claude = (uuid: string, type: string, message: object): object => ({ type, uuid, sessionId: "s", message });
const claudeLines = (...content: readonly object[]): readonly object[] => [
  claude("1", "user", { role: "user", content: "Look at it" }),
  claude("2", "assistant", {
    id: "m",
    role: "assistant",
    model: "claude-x",
    content: [{ type: "tool_use", id: "toolu_1", name: "Read", input: {} }],
  }),
  claude("3", "user", { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content }] }),
];
const claudeAnswer = claude("4", "assistant", {
  id: "n",
  role: "assistant",
  model: "claude-x",
  content: [{ type: "text", text: "A cat." }],
});
const claudeImage = { type: "image", source: { type: "base64", media_type: "image/png", data } };

const said = (uuid: string, text: string, more: object = {}): object => ({
  ...claude(uuid, "user", { role: "user", content: text }),
  ...more,
});
const answered = (uuid: string, text: string, more: object = {}): object => ({
  ...claude(uuid, "assistant", { id: uuid, role: "assistant", model: "m", content: [{ type: "text", text }] }),
  ...more,
});

const codex = (payload: object): object => ({ type: "response_item", payload });

/** A session of each agent in which a call brings a picture. */
const sessions: Readonly<Record<string, readonly object[]>> = {
  "Claude Code": [...claudeLines({ type: "text", text: "seen" }, claudeImage), claudeAnswer],
  "Codex CLI": [
    codex({ type: "message", role: "user", content: [{ type: "input_text", text: "Look at it" }] }),
    codex({ type: "function_call", call_id: "toolu_1", name: "Read", arguments: "{}" }),
    codex({
      type: "function_call_output",
      call_id: "toolu_1",
      output: [
        { type: "input_text", text: "seen" },
        { type: "input_image", image_url: url },
      ],
    }),
    codex({ type: "message", role: "assistant", content: [{ type: "output_text", text: "A cat." }] }),
  ],
  opencode: [
    {
      info: { id: "ses_1" },
      messages: [
        { info: { id: "a", role: "user" }, parts: [{ type: "text", text: "Look at it" }] },
        {
          info: { id: "b", role: "assistant" },
          parts: [
            {
              type: "tool",
              callID: "toolu_1",
              tool: "Read",
              state: {
                status: "completed",
                input: {},
                output: "seen",
                attachments: [{ type: "file", mime: "image/png", url }],
              },
            },
            { type: "text", text: "A cat." },
          ],
        },
      ],
    },
  ],
  "Gemini CLI": [
    {
      sessionId: "s",
      projectHash: "h",
      messages: [
        { id: "1", type: "user", content: "Look at it" },
        {
          id: "2",
          type: "gemini",
          content: "",
          toolCalls: [
            {
              id: "toolu_1",
              name: "Read",
              args: {},
              status: "success",
              result: [
                { functionResponse: { id: "toolu_1", name: "Read", response: { output: "seen" } } },
                { inlineData: { mimeType: "image/png", data } },
              ],
            },
          ],
        },
        { id: "3", type: "gemini", content: "A cat." },
      ],
    },
  ],
};

test.each(Object.entries(sessions))(
  "a picture in a result is shown after the results, and every vendor takes it: %s",
  (_agent, lines) => {
    expect(reported(...lines)).toEqual([
      "user: Look at it",
      "call toolu_1 Read",
      `result toolu_1 seen\n${mark}`,
      "user: (media)",
      "assistant: A cat.",
    ]);
    const media = conversation(askedAgain(events(lines))).flatMap((message) =>
      message.content.filter((block) => block.type === "media"),
    );
    expect(media).toEqual([{ type: "media", mediaType: "image/png", data }]);
  },
);

test("one in the last result comes with the next words, and one without its data leaves a mark", () => {
  expect(
    reported(...claudeLines(claudeImage), claude("4", "user", { role: "user", content: "Well?" })).slice(-3),
  ).toEqual([`result toolu_1 ${mark}`, "user: (media)", "user: Well?"]);
  const empty = { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
  expect(reported(...claudeLines(empty), claudeAnswer)).toContain("result toolu_1 [image that was not imported]");
});

test("a file in which no line has a parent is read in its order, and one in which some have is not", () => {
  const whole = ["user: one", "assistant: two", "user: three", "assistant: four"];
  const bare = [said("1", "one"), answered("2", "two"), said("3", "three"), answered("4", "four")];
  expect(reported(...bare)).toEqual(whole);
  expect(reported(...bare.map((line) => ({ ...line, parentUuid: null })))).toEqual(whole);
  const chained = [said("1", "left"), said("2", "one"), answered("3", "two", { parentUuid: "2" })];
  expect(reported(...chained)).toEqual(["user: one", "assistant: two"]);
});
