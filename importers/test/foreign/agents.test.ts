import { describe, expect, test } from "vitest";
import { readForeign } from "../../src/foreign/read-foreign.ts";
import { events, reported } from "./reported-to-model.ts";

function claudeSaid(uuid: string, parentUuid: string | null, text: string, more: object = {}): object {
  return {
    type: "user",
    uuid,
    parentUuid,
    sessionId: "s",
    message: { role: "user", content: text },
    ...more,
  };
}

function claudeAnswered(uuid: string, parentUuid: string, text: string): object {
  return {
    type: "assistant",
    uuid,
    parentUuid,
    sessionId: "s",
    message: { id: `msg_${uuid}`, role: "assistant", model: "claude-x", content: [{ type: "text", text }] },
  };
}

function codexItem(payload: object): object {
  return { type: "response_item", payload };
}

function codexSaid(role: string, text: string): object {
  return codexItem({
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
  });
}

function codexEvent(type: string, message: string): object {
  return { type: "event_msg", payload: { type, message } };
}

function opencodeMessage(id: string, role: string, text: string, more: object = {}): object {
  return {
    info: { id, role, ...more },
    parts: [{ type: "text", text }],
  };
}

describe("Claude Code", () => {
  test("after a compaction the model sees the summary, and the journal keeps what came before", () => {
    const lines = [
      claudeSaid("1", null, "old question"),
      claudeAnswered("2", "1", "old answer"),
      { type: "system", subtype: "compact_boundary", uuid: "3", parentUuid: null, logicalParentUuid: "2" },
      claudeSaid("4", "3", "what happened so far", { isCompactSummary: true }),
      claudeAnswered("5", "4", "continuing"),
      claudeSaid("6", "5", "new question"),
    ];
    expect(reported(...lines)).toEqual([
      "user: [Summary of the conversation so far]\nwhat happened so far",
      "user: (continue)",
      "assistant: continuing",
      "user: new question",
    ]);
    expect(JSON.stringify(events(lines))).toContain("old answer");
  });

  test("only the branch that was worked on last is taken over", () => {
    expect(
      reported(
        claudeSaid("1", null, "question"),
        claudeAnswered("2", "1", "left"),
        claudeAnswered("3", "1", "kept"),
        claudeSaid("4", "3", "more"),
      ),
    ).toEqual(["user: question", "assistant: kept", "user: more"]);
  });

  test("a lost line does not lose what came before it", () => {
    expect(
      reported(claudeSaid("1", null, "question"), claudeAnswered("2", "1", "one"), claudeSaid("4", "3", "more")),
    ).toEqual(["user: question", "assistant: one", "user: more"]);
  });

  test("parents in a circle end the branch, and not the import", () => {
    expect(
      reported(claudeSaid("1", "2", "question"), claudeAnswered("2", "1", "answer"), claudeSaid("3", "3", "more")).at(
        -1,
      ),
    ).toBe("user: more");
  });

  test("the file of a sub-agent is taken for what it is", () => {
    expect(reported(claudeSaid("1", null, "task", { isSidechain: true }))).toEqual(["user: task"]);
  });

  test("what a request failed with is no answer", () => {
    const failed = { ...claudeAnswered("2", "1", "API Error: 500"), isApiErrorMessage: true };
    expect(reported(claudeSaid("1", null, "question"), failed)).toEqual(["user: question"]);
  });

  test("what one answer cost in tokens is counted once, though every line of it says so", () => {
    const usage = { input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 3 };
    const part = (uuid: string, parentUuid: string, block: object): object => ({
      type: "assistant",
      uuid,
      parentUuid,
      message: { id: "msg_1", role: "assistant", model: "claude-x", usage, content: [block] },
    });
    const lines = [
      claudeSaid("1", null, "question"),
      part("2", "1", { type: "text", text: "a" }),
      part("3", "2", { type: "text", text: "b" }),
    ];
    const usages = events(lines).flatMap(({ record }) => (record.type === "step-completed" ? [record.usage] : []));
    expect(usages).toMatchObject([{ inputTokens: 3, cachedInputTokens: 2, outputTokens: 3 }]);
  });
});

describe("Codex CLI", () => {
  const head = { type: "session_meta", payload: { id: "x" } };

  test("turns that were rolled back are gone", () => {
    const rollback = { type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } };
    expect(
      reported(
        head,
        codexSaid("user", "a"),
        codexSaid("assistant", "b"),
        codexSaid("user", "c"),
        codexSaid("assistant", "d"),
        rollback,
      ),
    ).toEqual(["user: a", "assistant: b"]);
  });

  test("after a compaction the model sees its message", () => {
    const compacted = { type: "compacted", payload: { message: "in short" } };
    expect(
      reported(head, codexSaid("user", "a"), codexSaid("assistant", "b"), compacted, codexSaid("user", "c")),
    ).toEqual(["user: [Summary of the conversation so far]\nin short", "user: c"]);
  });

  test("a file that holds events alone is read from them", () => {
    expect(reported(head, codexEvent("user_message", "a"), codexEvent("agent_message", "b"))).toEqual([
      "user: a",
      "assistant: b",
    ]);
  });

  test("arguments that are no JSON are kept as they were", () => {
    const call = codexItem({ type: "function_call", name: "shell", arguments: '{"a', call_id: "c" });
    const blocks = events([head, codexSaid("user", "a"), call]).flatMap(({ record }) =>
      record.type === "step-completed" ? record.message.content : [],
    );
    expect(blocks).toMatchObject([{ type: "tool-call", arguments: { type: "malformed", text: '{"a' } }]);
  });
});

describe("opencode", () => {
  test("a summary stands in for what came before, and what was reverted is gone", () => {
    const messages = [
      opencodeMessage("1", "user", "a"),
      opencodeMessage("2", "assistant", "b"),
      opencodeMessage("3", "assistant", "in short", { summary: true }),
      opencodeMessage("4", "user", "c"),
      opencodeMessage("5", "assistant", "taken back"),
    ];
    expect(reported({ info: { id: "ses_1", revert: { messageID: "5" } }, messages })).toEqual([
      "user: [Summary of the conversation so far]\nin short",
      "user: c",
    ]);
  });
});

describe("Gemini CLI", () => {
  const head = { sessionId: "s", projectHash: "p" };

  test("a later line of a message replaces the earlier one", () => {
    const lines = [
      head,
      { id: "1", type: "user", content: "a" },
      { id: "2", type: "gemini", content: "dra" },
      { id: "2", type: "gemini", content: "draft, finished" },
    ];
    expect(reported(...lines)).toEqual(["user: a", "assistant: draft, finished"]);
  });

  test("a call that was cancelled is reported as cancelled", () => {
    const call = { id: "c", name: "shell", args: {}, status: "cancelled" };
    const lines = [
      head,
      { id: "1", type: "user", content: "a" },
      { id: "2", type: "gemini", content: "", toolCalls: [call] },
    ];
    const outcomes = events(lines).flatMap(({ record }) =>
      record.type === "tool-finished" ? [record.outcome.type] : [],
    );
    expect(outcomes).toEqual(["cancelled"]);
  });
});

describe("Ted", () => {
  test("of a history what was said is taken over: repeated neighbours once, prompts of the system and reminders not at all", () => {
    const history = [
      { role: "system", content: "You are Ted." },
      { role: "user", content: "a" },
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "user", content: "STOP repeating that call" },
      { role: "assistant", content: "" },
    ];
    const read = readForeign(JSON.stringify(history));
    const said = read?.session.entries.map((entry) =>
      entry.type === "user" ? entry.content : entry.type === "answer" ? entry.blocks : [],
    );
    expect([read?.session.agent, said]).toEqual([
      "Ted",
      [[{ type: "text", text: "a" }], [{ type: "text", text: "b" }]],
    ]);
    expect(readForeign('[{"role":"user"}]')).toBeUndefined();
  });
});

test("what another agent cost is not made up: unknown where its file does not say it", () => {
  const costs = events([
    { type: "session", version: 3, id: "x", cwd: "/" },
    { type: "message", id: "1", parentId: null, message: { role: "user", content: "a" } },
    {
      type: "message",
      id: "2",
      parentId: "1",
      message: { role: "assistant", content: [{ type: "text", text: "b" }], usage: { input: 1, cost: { total: 0.5 } } },
    },
    { type: "message", id: "3", parentId: "2", message: { role: "assistant", content: [{ type: "text", text: "c" }] } },
  ]).flatMap(({ record }) => (record.type === "step-completed" ? [record.costUsd] : []));
  expect(costs).toEqual([0.5, null]);
});
