/** Session files of other agents, written after what is known of their formats. Each ends in the middle of its second turn, with a call open. */
export interface Sample {
  readonly agent: string;
  readonly form: string;
  readonly text: string;
}

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const lines = (...objects: readonly object[]): string => objects.map((line) => `${JSON.stringify(line)}\n`).join("");

function claudeLine(number: number, parent: number | null, rest: object): object {
  return {
    parentUuid: parent === null ? null : `uuid-${parent}`,
    isSidechain: false,
    userType: "external",
    cwd: "/home/someone/project",
    sessionId: "5a0ddcd0-5487-4794-99ac-143f6bb9e248",
    version: "2.1.12",
    gitBranch: "main",
    uuid: `uuid-${number}`,
    timestamp: `2026-01-20T11:57:${String(number).padStart(2, "0")}.000Z`,
    ...rest,
  };
}

function claudeAnswer(number: number, parent: number, id: string, block: object): object {
  const usage = { input_tokens: 4, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000, output_tokens: 25 };
  const message = {
    model: "claude-opus-4-5",
    id,
    type: "message",
    role: "assistant",
    content: [block],
    stop_reason: null,
    usage,
  };
  return claudeLine(number, parent, { type: "assistant", requestId: "req_1", message });
}

function claudeResult(number: number, parent: number, id: string, rest: object): object {
  const block = { tool_use_id: id, type: "tool_result", ...rest };
  return claudeLine(number, parent, { type: "user", message: { role: "user", content: [block] }, toolUseResult: {} });
}

export const claudeCode: Sample = {
  agent: "Claude Code",
  form: "lines",
  text: lines(
    { type: "summary", summary: "Fixing the sum", leafUuid: "uuid-9" },
    { type: "file-history-snapshot", messageId: "m", snapshot: {}, isSnapshotUpdate: false },
    claudeLine(1, null, { type: "user", isMeta: true, message: { role: "user", content: "Caveat: local commands" } }),
    claudeLine(2, 1, {
      type: "user",
      message: {
        role: "user",
        content: [
          { type: "text", text: "Fix the sum — ñ 😀" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: picture } },
        ],
      },
    }),
    claudeAnswer(3, 2, "msg_1", { type: "thinking", thinking: "I look first.", signature: "sig-of-another" }),
    claudeAnswer(4, 3, "msg_1", { type: "text", text: "I look." }),
    claudeAnswer(5, 4, "msg_1", { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "a.ts" } }),
    claudeAnswer(6, 5, "msg_1", { type: "tool_use", id: "toolu_2", name: "Bash", input: { command: "npm test" } }),
    // The result of a parallel call hangs beside the branch.
    claudeResult(7, 5, "toolu_1", { content: "     1→export const sum = 1;" }),
    claudeResult(8, 6, "toolu_2", { content: [{ type: "text", text: "1 failed" }], is_error: true }),
    claudeLine(9, 2, {
      type: "assistant",
      isSidechain: true,
      message: { role: "assistant", content: [{ type: "text", text: "sub-agent" }] },
    }),
    claudeAnswer(10, 8, "msg_2", { type: "text", text: "It is corrected." }),
    claudeLine(11, 10, { type: "system", subtype: "stop_hook_summary", content: "" }),
    claudeLine(12, 11, { type: "user", message: { role: "user", content: "Now run it again" } }),
    claudeAnswer(13, 12, "msg_3", { type: "text", text: "Running." }),
    claudeAnswer(14, 13, "msg_3", { type: "tool_use", id: "toolu_3", name: "Bash", input: { command: "npm test" } }),
  ),
};

function codexLine(type: string, payload: object): object {
  return { timestamp: "2025-10-29T00:59:38.317Z", type, payload };
}

const codexItems: readonly object[] = [
  { type: "message", role: "developer", content: [{ type: "input_text", text: "<permissions instructions>" }] },
  {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "<environment_context>\n<cwd>/home/someone</cwd>" }],
  },
  {
    type: "message",
    role: "user",
    content: [
      { type: "input_text", text: "Fix the sum — ñ 😀" },
      { type: "input_image", image_url: `data:image/png;base64,${picture}` },
    ],
  },
  {
    type: "reasoning",
    summary: [{ type: "summary_text", text: "I look first." }],
    content: null,
    encrypted_content: "gAAAA",
  },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
  { type: "function_call", name: "shell", arguments: '{"command":["cat","a.ts"]}', call_id: "call_1" },
  {
    type: "local_shell_call",
    call_id: "call_2",
    status: "completed",
    action: { type: "exec", command: ["npm", "test"] },
  },
  {
    type: "function_call_output",
    call_id: "call_1",
    output: '{"output":"export const sum = 1;","metadata":{"exit_code":0,"duration_seconds":0.1}}',
  },
  { type: "function_call_output", call_id: "call_2", output: '{"output":"1 failed","metadata":{"exit_code":1}}' },
  {
    type: "custom_tool_call",
    status: "completed",
    call_id: "call_3",
    name: "apply_patch",
    input: "*** Begin Patch\n*** End Patch",
  },
  { type: "custom_tool_call_output", call_id: "call_3", output: "Done" },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "It is corrected." }] },
  { type: "message", role: "user", content: [{ type: "input_text", text: "Now run it again" }] },
  { type: "function_call", name: "shell", arguments: '{"command":["npm","te', call_id: "call_4" },
  { type: "function_call", name: "shell", arguments: '{"command":["npm","test"]}', call_id: "call_1" },
];

const codex: Sample = {
  agent: "Codex CLI",
  form: "lines",
  text: lines(
    codexLine("session_meta", {
      id: "019a2d7a",
      cwd: "/home/someone",
      originator: "codex_exec",
      cli_version: "0.46.0",
    }),
    codexLine("turn_context", { cwd: "/home/someone", model: "gpt-5-codex", effort: "high" }),
    ...codexItems.flatMap((item) => [
      codexLine("response_item", item),
      codexLine("event_msg", { type: "agent_message", message: "the same once more" }),
    ]),
    codexLine("event_msg", { type: "token_count", info: { last_token_usage: { input_tokens: 50, output_tokens: 5 } } }),
  ),
};

const codexFlat: Sample = {
  agent: "Codex CLI",
  form: "older lines",
  text: lines(
    { id: "019a2d7a", timestamp: "2025-07-01T00:00:00.000Z", instructions: null },
    { record_type: "state" },
    ...codexItems,
  ),
};

function piLine(number: number, parent: number | null, rest: object): object {
  const time = `2025-12-03T14:00:${String(number).padStart(2, "0")}.000Z`;
  return { id: `e${number}`, parentId: parent === null ? null : `e${parent}`, timestamp: time, ...rest };
}

const piUsage = {
  input: 10,
  output: 5,
  cacheRead: 3,
  cacheWrite: 2,
  totalTokens: 20,
  cost: { input: 0, output: 0, total: 0.25 },
};

function piMessage(number: number, parent: number | null, message: object): object {
  return piLine(number, parent, { type: "message", message });
}

function piAnswer(content: readonly object[], stopReason: string): object {
  return {
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    usage: piUsage,
    stopReason,
  };
}

const pi: Sample = {
  agent: "pi",
  form: "lines",
  text: lines(
    { type: "session", version: 3, id: "0193aaaa", timestamp: "2025-12-03T14:00:00.000Z", cwd: "/home/someone" },
    piLine(1, null, { type: "model_change", provider: "anthropic", modelId: "claude-sonnet-4-5" }),
    piMessage(2, 1, {
      role: "user",
      content: [
        { type: "text", text: "Fix the sum — ñ 😀" },
        { type: "image", data: picture, mimeType: "image/png" },
      ],
    }),
    piMessage(
      3,
      2,
      piAnswer(
        [
          { type: "thinking", thinking: "I look first.", thinkingSignature: "sig" },
          { type: "text", text: "I look." },
          { type: "toolCall", id: "toolu_1|fc_1", name: "read", arguments: { path: "a.ts" } },
          { type: "toolCall", id: "toolu_2", name: "bash", arguments: { command: "npm test" } },
        ],
        "toolUse",
      ),
    ),
    piMessage(4, 3, {
      role: "toolResult",
      toolCallId: "toolu_1|fc_1",
      toolName: "read",
      content: [{ type: "text", text: "export const sum = 1;" }],
      isError: false,
    }),
    piMessage(5, 4, {
      role: "toolResult",
      toolCallId: "toolu_2",
      toolName: "bash",
      content: [{ type: "text", text: "1 failed" }],
      isError: true,
    }),
    piMessage(6, 5, piAnswer([{ type: "text", text: "a branch that was left" }], "stop")),
    piMessage(7, 5, piAnswer([{ type: "text", text: "It is corrected." }], "stop")),
    piMessage(8, 7, {
      role: "bashExecution",
      command: "ls",
      output: "a.ts",
      exitCode: 0,
      cancelled: false,
      truncated: false,
    }),
    piLine(9, 8, { type: "compaction", summary: "The sum was corrected.", firstKeptEntryId: "e7", tokensBefore: 100 }),
    piLine(10, 9, { type: "branch_summary", fromId: "e6", summary: "tried something else" }),
    piMessage(11, 10, { role: "user", content: "Now run it again" }),
    piMessage(
      12,
      11,
      piAnswer([{ type: "toolCall", id: "toolu_3", name: "bash", arguments: { command: "npm test" } }], "toolUse"),
    ),
  ),
};

function opencodeMessage(id: string, role: string, parts: readonly object[], rest: object = {}): object {
  const time = { created: 1_767_036_059_338, completed: 1_767_036_060_000 };
  const spent = {
    tokens: { input: 10, output: 5, reasoning: 1, cache: { read: 2, write: 0 } },
    cost: 0.5,
    providerID: "anthropic",
    modelID: "claude-sonnet-4-5",
  };
  const info = { id, sessionID: "ses_1", role, time, ...(role === "assistant" ? spent : {}), ...rest };
  return {
    info,
    parts: parts.map((part, at) => ({ id: `prt_${id}_${at}`, sessionID: "ses_1", messageID: id, ...part })),
  };
}

export const opencodeSession = {
  info: {
    id: "ses_1",
    projectID: "p",
    directory: "/home/someone",
    title: "Fixing",
    version: "1.1.36",
    time: { created: 1_767_036_059_338, updated: 1_767_036_059_338 },
  },
  messages: [
    opencodeMessage("msg_1", "user", [
      { type: "text", text: "Fix the sum — ñ 😀" },
      { type: "file", mime: "image/png", filename: "a.png", url: `data:image/png;base64,${picture}` },
    ]),
    opencodeMessage("msg_2", "assistant", [
      { type: "step-start" },
      { type: "reasoning", text: "I look first." },
      { type: "text", text: "I look." },
      {
        type: "tool",
        callID: "toolu_1",
        tool: "read",
        state: {
          status: "completed",
          input: { filePath: "a.ts" },
          output: "export const sum = 1;",
          title: "a.ts",
          metadata: {},
        },
      },
      {
        type: "tool",
        callID: "toolu_2",
        tool: "bash",
        state: { status: "error", input: { command: "npm test" }, error: "1 failed" },
      },
      { type: "step-finish", reason: "tool-calls", cost: 0.5, tokens: {} },
      { type: "text", text: "It is corrected." },
    ]),
    opencodeMessage("msg_3", "user", [{ type: "text", text: "Now run it again" }]),
    opencodeMessage("msg_4", "assistant", [
      { type: "text", text: "Running." },
      {
        type: "tool",
        callID: "toolu_3",
        tool: "bash",
        state: { status: "running", input: { command: "npm test" }, time: { start: 1 } },
      },
    ]),
  ],
};

const opencode: Sample = { agent: "opencode", form: "export", text: JSON.stringify(opencodeSession, null, 2) };

const geminiMessages: readonly object[] = [
  {
    id: "g1",
    timestamp: "2025-10-18T14:57:28.974Z",
    type: "user",
    content: [{ text: "Fix the sum — ñ 😀" }, { inlineData: { mimeType: "image/png", data: picture } }],
  },
  { id: "g2", timestamp: "2025-10-18T14:57:29.000Z", type: "info", content: "Shown only" },
  {
    id: "g3",
    timestamp: "2025-10-18T14:57:30.000Z",
    type: "gemini",
    content: "I look.",
    thoughts: [{ subject: "Looking", description: "I look first.", timestamp: "2025-10-18T14:57:29.000Z" }],
    tokens: { input: 10, output: 5, cached: 2, thoughts: 1, tool: 0, total: 18 },
    model: "gemini-2.5-pro",
    toolCalls: [
      {
        id: "read_file-1-a",
        name: "read_file",
        args: { absolute_path: "/home/someone/a.ts" },
        result: [
          {
            functionResponse: { id: "read_file-1-a", name: "read_file", response: { output: "export const sum = 1;" } },
          },
        ],
        status: "success",
        timestamp: "2025-10-18T14:57:30.000Z",
      },
      {
        id: "run_shell_command-2-b",
        name: "run_shell_command",
        args: { command: "npm test" },
        result: [
          {
            functionResponse: {
              id: "run_shell_command-2-b",
              name: "run_shell_command",
              response: { error: "1 failed" },
            },
          },
        ],
        status: "error",
        timestamp: "2025-10-18T14:57:31.000Z",
      },
    ],
  },
  {
    id: "g4",
    timestamp: "2025-10-18T14:57:32.000Z",
    type: "gemini",
    content: "It is corrected.",
    model: "gemini-2.5-pro",
  },
  { id: "g5", timestamp: "2025-10-18T14:57:33.000Z", type: "user", content: "Now run it again" },
  {
    id: "g6",
    timestamp: "2025-10-18T14:57:34.000Z",
    type: "gemini",
    content: "",
    model: "gemini-2.5-pro",
    toolCalls: [
      {
        id: "run_shell_command-3-c",
        name: "run_shell_command",
        args: { command: "npm test" },
        status: "executing",
        timestamp: "2025-10-18T14:57:34.000Z",
      },
    ],
  },
];

const geminiHead = {
  sessionId: "f86f5318-f47b-4433-85f8-ec9d9a417f8e",
  projectHash: "79b6fa86",
  startTime: "2025-10-18T14:57:28.974Z",
  lastUpdated: "2025-10-18T14:58:07.161Z",
};

const gemini: Sample = {
  agent: "Gemini CLI",
  form: "document",
  text: JSON.stringify({ ...geminiHead, messages: geminiMessages }, null, 2),
};

const geminiLines: Sample = {
  agent: "Gemini CLI",
  form: "lines",
  text: lines(
    { ...geminiHead, kind: "main" },
    { id: "g0", timestamp: "2025-10-18T14:57:20.000Z", type: "user", content: "taken back" },
    { $rewindTo: "g0" },
    ...geminiMessages,
    { $set: { lastUpdated: "2025-10-18T15:00:00.000Z" } },
  ),
};

const geminiCheckpoint: Sample = {
  agent: "Gemini CLI",
  form: "saved chat",
  text: JSON.stringify([
    { role: "user", parts: [{ text: "This is the Gemini CLI. We are setting up the context for our chat." }] },
    { role: "model", parts: [{ text: "Got it. Thanks for the context!" }] },
    {
      role: "user",
      parts: [{ text: "Fix the sum — ñ 😀" }, { inlineData: { mimeType: "image/png", data: picture } }],
    },
    {
      role: "model",
      parts: [
        { thought: true, text: "I look first." },
        { text: "I look." },
        { functionCall: { name: "read_file", args: { path: "a.ts" } }, thoughtSignature: "c2ln" },
        { functionCall: { name: "run_shell_command", args: { command: "npm test" } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { name: "read_file", response: { output: "export const sum = 1;" } } },
        { functionResponse: { name: "run_shell_command", response: { error: "1 failed" } } },
      ],
    },
    { role: "model", parts: [{ text: "It is corrected." }] },
    { role: "user", parts: [{ text: "Now run it again" }] },
    { role: "model", parts: [{ functionCall: { name: "run_shell_command", args: { command: "npm test" } } }] },
  ]),
};

export const samples: readonly Sample[] = [
  claudeCode,
  codex,
  codexFlat,
  pi,
  opencode,
  gemini,
  geminiLines,
  geminiCheckpoint,
];
