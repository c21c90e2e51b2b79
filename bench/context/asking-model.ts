import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { PlantedFact } from "./planted-history.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly Block[];
}

interface Request {
  readonly max_tokens: number;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

/** How requests for a summary, and for one document in place of everything, begin. */
const summaryRequests: readonly string[] = ["Summarise the conversation", "Write the document"];

/** Calls of `recall` in one answer. */
const callsAtOnce = 10;

/**
 * A model on loopback that knows nothing: asked for a summary it keeps the first sentence of each text, cut to the size; asked anything else
 * it looks every fact up with `recall`, and keeps what came back.
 */
export class AskingModel {
  readonly #server: Server;
  readonly #facts: readonly PlantedFact[];
  readonly #found = new Set<PlantedFact>();
  #asked = 0;
  summaries = 0;

  constructor(facts: readonly PlantedFact[]) {
    this.#facts = facts;
    this.#server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(this.#answer(JSON.parse(body)));
      });
    });
  }

  /** @returns its address */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the model server has no port");
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Facts whose value `recall` brought back. */
  get found(): number {
    return this.#found.size;
  }

  #answer(request: Request): string {
    const texts = request.messages.flatMap(({ content }) => textsOf(content));
    const last = texts.at(-1) ?? "";
    if (summaryRequests.some((words) => last.startsWith(words))) {
      this.summaries += 1;
      return stream([{ type: "text", text: firstSentences(texts.slice(0, -1), request.max_tokens * 3) }], "end_turn");
    }
    const results = textsOf(request.messages.at(-1)?.content ?? "");
    for (const fact of this.#facts.slice(0, this.#asked))
      if (results.some((text) => text.includes(fact.value))) this.#found.add(fact);
    const calls = this.#facts.slice(this.#asked, this.#asked + callsAtOnce).map(({ question }, index) => ({
      type: "tool_use",
      id: `toolu_recall_${this.#asked + index}`,
      name: "recall",
      input: { query: question, limit: 3 },
    }));
    this.#asked += calls.length;
    return calls.length === 0
      ? stream([{ type: "text", text: "That is all." }], "end_turn")
      : stream(calls, "tool_use");
  }
}

function textsOf(content: string | readonly Block[] | undefined): readonly string[] {
  if (content === undefined) return [];
  if (typeof content === "string") return [content];
  return content.flatMap(({ text, content: inner }) => [...(text === undefined ? [] : [text]), ...textsOf(inner)]);
}

function firstSentences(texts: readonly string[], limitCharacters: number): string {
  return texts
    .map((text) => /^[^.\n]*\.?/.exec(text)?.[0] ?? "")
    .join(" ")
    .slice(0, limitCharacters);
}

/** An answer in the events of Anthropic's Messages API. */
function stream(
  blocks: readonly { readonly type: string; readonly text?: string; readonly input?: object }[],
  reason: string,
): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "msg_bench", type: "message", role: "assistant", model: "bench", content: [], usage };
  const events: object[] = [{ type: "message_start", message }];
  for (const [index, { input, text, ...block }] of blocks.entries()) {
    const start = input === undefined ? { ...block, text: "" } : { ...block, input: {} };
    const delta =
      input === undefined
        ? { type: "text_delta", text }
        : { type: "input_json_delta", partial_json: JSON.stringify(input) };
    events.push(
      { type: "content_block_start", index, content_block: start },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    );
  }
  events.push({ type: "message_delta", delta: { stop_reason: reason }, usage }, { type: "message_stop" });
  return events
    .map((event) => `event: ${"type" in event ? String(event.type) : ""}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}
