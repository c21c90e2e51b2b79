// What the bare agent knows of each wire: no checks, no thinking, one tool.
const description = "Read a file.";
const parameters = { type: "object", properties: { path: { type: "string" }, command: { type: "string" } } };
const json = { "content-type": "application/json" };
const bearer = { ...json, authorization: "Bearer none" };

export const wires = {
  anthropic: {
    path: "/v1/messages",
    headers: { ...json, "x-api-key": "none", "anthropic-version": "2023-06-01" },
    body: (messages) => ({
      model: "rehearsal",
      max_tokens: 1024,
      stream: true,
      tools: [{ name: "read_file", description, input_schema: parameters }],
      messages,
    }),
    said: (text) => ({ role: "user", content: text }),
    begin: () => [],
    take(event, blocks) {
      if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block, json: "" };
      if (event.type !== "content_block_delta") return;
      if (event.delta.type === "text_delta") blocks[event.index].text += event.delta.text;
      if (event.delta.type === "input_json_delta") blocks[event.index].json += event.delta.partial_json;
    },
    finish(open) {
      const content = open.map(({ json: text, ...block }) =>
        block.type === "tool_use" ? { ...block, input: JSON.parse(text) } : block,
      );
      const uses = content.filter((block) => block.type === "tool_use");
      return {
        entries: [{ role: "assistant", content }],
        calls: uses.map(({ id, input }) => ({ id, ...input })),
      };
    },
    results: (results) => [
      {
        role: "user",
        content: results.map(({ id, text }) => ({ type: "tool_result", tool_use_id: id, content: text })),
      },
    ],
  },
  openai: {
    path: "/v1/responses",
    headers: bearer,
    body: (input) => ({
      model: "rehearsal",
      store: false,
      stream: true,
      tools: [{ type: "function", name: "read_file", description, parameters, strict: null }],
      input,
    }),
    said: (content) => ({ type: "message", role: "user", content }),
    begin: () => ({ items: [], text: "" }),
    take(event, answer) {
      if (event.type === "response.output_text.delta") answer.text += event.delta;
      if (event.type === "response.output_item.done") answer.items.push(event.item);
    },
    finish({ items, text }) {
      const calls = items.filter((item) => item.type === "function_call");
      const said = text === "" ? [] : [{ type: "message", role: "assistant", content: text }];
      const entries = calls.map(({ call_id, name, arguments: args }) => ({
        type: "function_call",
        call_id,
        name,
        arguments: args,
      }));
      return {
        entries: [...said, ...entries],
        calls: calls.map((call) => ({ id: call.call_id, ...JSON.parse(call.arguments) })),
      };
    },
    results: (results) => results.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text })),
  },
  "openai-chat": {
    path: "/v1/chat/completions",
    headers: bearer,
    body: (messages) => ({
      model: "rehearsal",
      stream: true,
      tools: [{ type: "function", function: { name: "read_file", description, parameters } }],
      messages,
    }),
    said: (content) => ({ role: "user", content }),
    begin: () => ({ text: "", calls: [] }),
    take(event, answer) {
      const delta = event.choices[0]?.delta;
      if (delta === undefined) return;
      if (delta.content) answer.text += delta.content;
      for (const { index, id, function: part } of delta.tool_calls ?? []) {
        const call = (answer.calls[index] ??= { id, type: "function", function: { name: part.name, arguments: "" } });
        call.function.arguments += part.arguments ?? "";
      }
    },
    finish({ text, calls }) {
      const asked = calls.length === 0 ? {} : { tool_calls: calls };
      return {
        entries: [{ role: "assistant", content: text, ...asked }],
        calls: calls.map((call) => ({ id: call.id, ...JSON.parse(call.function.arguments) })),
      };
    },
    results: (results) => results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text })),
  },
  google: {
    path: "/v1beta/models/rehearsal:streamGenerateContent?alt=sse",
    headers: { ...json, "x-goog-api-key": "none" },
    body: (contents) => ({
      contents,
      tools: [{ functionDeclarations: [{ name: "read_file", description, parametersJsonSchema: parameters }] }],
    }),
    said: (text) => ({ role: "user", parts: [{ text }] }),
    begin: () => ({ text: "", calls: [] }),
    take(event, answer) {
      for (const part of event.candidates?.[0]?.content?.parts ?? []) {
        if (part.text) answer.text += part.text;
        if (part.functionCall) answer.calls.push(part);
      }
    },
    finish({ text, calls }) {
      const parts = [...(text === "" ? [] : [{ text }]), ...calls];
      return {
        entries: [{ role: "model", parts }],
        calls: calls.map(({ functionCall }) => ({ id: functionCall.id, ...functionCall.args })),
      };
    },
    results: (results) => [
      {
        role: "user",
        parts: results.map(({ id, text }) => ({
          functionResponse: { id, name: "read_file", response: { output: text } },
        })),
      },
    ],
  },
};
