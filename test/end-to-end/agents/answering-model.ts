import { createServer, type ServerResponse } from "node:http";
import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { onTestFinished } from "vitest";

/** What the model says: a text, or calls. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

/** A request, as far as the answers here depend on it. */
export interface Asked {
  /** The first words of the conversation: a session's own. */
  readonly first: string;
  /** All of it. */
  readonly text: string;
  /** The results that answer the last calls. */
  readonly results: readonly string[];
  /** How often the model has spoken in this conversation. */
  readonly spoken: number;
}

export interface AnsweringModel {
  readonly env: Readonly<Record<string, string>>;
  readonly asked: readonly Asked[];
}

/** A model that answers by what it is asked: sessions that work at once ask in no certain order. A promise keeps one waiting. */
export async function answeringModel(answer: (asked: Asked) => Said | Promise<Said>): Promise<AnsweringModel> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = readAsked(JSON.parse(Buffer.concat(chunks).toString("utf8")));
      asked.push(one);
      void Promise.resolve(answer(one)).then((said) => send(response, said));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "key-that-opens-nothing" },
    asked,
  };
}

function readAsked(body: unknown): Asked {
  const messages = isJsonObject(body) && Array.isArray(body["messages"]) ? body["messages"].filter(isJsonObject) : [];
  const blocks = messages.map(({ content }) =>
    typeof content === "string"
      ? [{ type: "text", text: content }]
      : Array.isArray(content)
        ? content.filter(isJsonObject)
        : [],
  );
  const last = blocks.at(-1) ?? [];
  return {
    first: (blocks[0] ?? []).map(({ text }) => (typeof text === "string" ? text : "")).join("\n"),
    text: JSON.stringify(messages),
    results: last.filter(({ type }) => type === "tool_result").map(({ content }) => JSON.stringify(content)),
    spoken: messages.filter(({ role }) => role === "assistant").length,
  };
}

function send(response: ServerResponse, { text, calls = [] }: Said): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const event = (data: JsonObject & { readonly type: string }): void => {
    response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const usage = { input_tokens: 100, output_tokens: 10 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: "rehearsal", content: [], usage };
  event({ type: "message_start", message });
  const blocks = [
    ...(text === undefined ? [] : [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text } }]),
    ...calls.map(({ name, arguments: args }) => ({
      start: { type: "tool_use", id: `toolu_${Math.random().toString(36).slice(2)}`, name, input: {} },
      delta: { type: "input_json_delta", partial_json: JSON.stringify(args) },
    })),
  ];
  for (const [index, { start, delta }] of blocks.entries()) {
    event({ type: "content_block_start", index, content_block: start });
    event({ type: "content_block_delta", index, delta });
    event({ type: "content_block_stop", index });
  }
  const stop = calls.length === 0 ? "end_turn" : "tool_use";
  event({ type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 10 } });
  event({ type: "message_stop" });
  response.end();
}
