import {
  type AssistantMessage,
  type Message,
  type ModelRequest,
  type ModelSettings,
  type ToolCallBlock,
  toolProfiles,
  type ToolProfileName,
  toToolCallId,
} from "@capstan/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inOurWords, inProfile } from "../../src/profiles/in-profile.ts";
import { type WrittenSample, writtenSamples } from "./written-calls.ts";

const origin = { provider: "p", model: "m", wire: "openai-responses" };

const settings: ModelSettings = {
  provider: "p",
  wire: "openai-responses",
  id: "another",
  contextWindowTokens: 1000,
  maxOutputTokens: 100,
  options: {},
};

function model(toolProfile: ToolProfileName): ModelSettings {
  return { ...settings, ...(toolProfile === "own" ? {} : { toolProfile }) };
}

function answer({ name, arguments: value, freeform }: WrittenSample, id = "call_1"): AssistantMessage {
  const marks = freeform === true ? { freeform } : {};
  const call: ToolCallBlock = {
    type: "tool-call",
    callId: toToolCallId(id),
    name,
    arguments: { type: "json", value },
    ...marks,
  };
  return { role: "assistant", origin, content: [call] };
}

function asked(messages: readonly Message[], tools: ModelRequest["tools"] = []): ModelRequest {
  return { system: "s", messages, tools, maxOutputTokens: 1 };
}

/** How a model of OpenAI's family is shown these tools. */
function shownNames(tools: ModelRequest["tools"]): readonly string[] {
  return inProfile(asked([], tools), model("openai")).tools.map(({ name }) => name);
}

function callIn(message: Message | undefined): ToolCallBlock {
  const block = message?.role === "assistant" ? message.content[0] : undefined;
  if (block?.type !== "tool-call") throw new Error("an answer with a call was expected");
  return block;
}

const samples = toolProfiles.flatMap((profile) => writtenSamples[profile].map((sample) => [profile, sample] as const));

test("tools are the same objects in every request, in each profile", () => {
  const tools = ["read_file", "run_command", "weather"].map((name) => ({ name, description: "", inputSchema: {} }));
  for (const profile of [...toolProfiles, ...toolProfiles]) {
    const [once, again] = [1, 2].map(() => inProfile(asked([], tools), model(profile)).tools);
    expect(once?.every((tool, at) => tool === again?.[at])).toBe(true);
  }
  const named = (profile: ToolProfileName): string => JSON.stringify(inProfile(asked([], tools), model(profile)).tools);
  expect(named("openai")).not.toBe(named("own"));
});

describe("a call written in the words of a profile", () => {
  test.each(samples)("%s: %j is journaled in ours, and goes back to its model as it was written", (profile, sample) => {
    const journaled = inOurWords(answer(sample), model(profile));
    const call = callIn(journaled);
    expect([call.name, call.arguments]).toEqual([sample.ours.name, { type: "json", value: sample.ours.arguments }]);
    const [again] = inProfile(asked([journaled]), model(profile)).messages;
    const back = callIn(again);
    expect(JSON.stringify([back.name, back.arguments])).toBe(
      JSON.stringify([sample.name, { type: "json", value: sample.arguments }]),
    );
    expect(back.freeform).toBe(profile === "own" ? undefined : sample.freeform);
    expect(again?.role === "assistant" ? again.origin : undefined).toEqual(origin);
  });

  test("goes to a model of another profile in that one's words, as another vendor's", () => {
    const journaled = inOurWords(
      answer({ name: "Bash", arguments: { command: "ls" }, ours: { name: "", arguments: {} } }),
      model("anthropic"),
    );
    const reported = (profile: ToolProfileName): unknown => {
      const [message] = inProfile(asked([journaled]), model(profile)).messages;
      const { name, arguments: args } = callIn(message);
      return [
        name,
        args.type === "json" ? args.value : args,
        message?.role === "assistant" && message.origin.provider !== "p",
      ];
    };
    expect(reported("anthropic")).toEqual(["Bash", { command: "ls" }, false]);
    expect(reported("openai")).toEqual(["shell", { command: ["bash", "-lc", "ls"] }, true]);
    expect(reported("gemini")).toEqual(["run_shell_command", { command: "ls" }, true]);
    expect(reported("own")).toEqual(["run_command", { command: "ls" }, true]);
  });

  test("any arguments of a known form come back as they were written", () => {
    const words = fc.dictionary(
      fc.constantFrom(
        "file_path",
        "path",
        "offset",
        "limit",
        "command",
        "timeout",
        "glob",
        "-i",
        "input",
        "dir_path",
        "include",
        "workdir",
        "description",
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...samples), words, ([profile, { name }], args) => {
        const value = JSON.parse(JSON.stringify(args));
        const journaled = inOurWords(
          answer({ name, arguments: value, ours: { name: "", arguments: {} } }),
          model(profile),
        );
        const back = callIn(inProfile(asked([journaled]), model(profile)).messages[0]);
        expect(JSON.stringify([back.name, back.arguments])).toBe(JSON.stringify([name, { type: "json", value }]));
      }),
    );
  });
});

describe("a request in the words of a profile", () => {
  test("names every result as its call", () => {
    const [, sample] = samples.find(([profile, { name }]) => profile === "anthropic" && name === "Read") ?? [];
    if (sample === undefined) throw new Error("a sample is gone");
    const journaled = inOurWords(answer(sample), model("anthropic"));
    const result = {
      type: "tool-result",
      callId: toToolCallId("call_1"),
      toolName: "read_file",
      content: "x",
      isError: false,
    } as const;
    const names = toolProfiles.map((profile) => {
      const [first, second] = inProfile(
        asked([journaled, { role: "user", content: [result] }]),
        model(profile),
      ).messages;
      const block = second?.role === "user" ? second.content[0] : undefined;
      return [callIn(first).name, block?.type === "tool-result" ? block.toolName : undefined];
    });
    expect(names).toEqual([
      ["read_file", "read_file"],
      ["Read", "Read"],
      ["read_file", "read_file"],
      ["read_file", "read_file"],
    ]);
  });
  test("hides tools only where another one does the same", () => {
    const tools = ["write_file", "edit_file", "apply_patch"].map((name) => ({
      name,
      description: name,
      inputSchema: {},
    }));
    expect(shownNames(tools)).toEqual(["apply_patch"]);
    expect(shownNames(tools.slice(0, 2))).toEqual(["write_file", "edit_file"]);
  });
  test("leaves what this very model wrote as it was, whatever it is shown since", () => {
    const sample = writtenSamples.anthropic[0];
    if (sample === undefined) throw new Error("a sample is gone");
    const journaled = inOurWords(answer(sample), model("anthropic"));
    const [again] = inProfile(asked([journaled]), { ...model("openai"), id: origin.model }).messages;
    expect(callIn(again).name).toBe(sample.name);
    expect(again?.role === "assistant" ? again.origin : undefined).toEqual(origin);
  });
  test("keeps messages of the past the same objects", () => {
    const journaled = inOurWords(
      answer(writtenSamples.anthropic[0] ?? { name: "", arguments: {}, ours: { name: "", arguments: {} } }),
      model("anthropic"),
    );
    const first = inProfile(asked([journaled]), model("openai")).messages[0];
    expect(inProfile(asked([journaled]), model("openai")).messages[0]).toBe(first);
  });
  test("under our own profile is the request as it is", () => {
    const messages = [answer(writtenSamples.own[0] ?? { name: "", arguments: {}, ours: { name: "", arguments: {} } })];
    expect(inProfile(asked(messages), model("own")).messages[0]).toBe(messages[0]);
  });
});
