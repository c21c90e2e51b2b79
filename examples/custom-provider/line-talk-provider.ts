/**
 * A provider from outside: it knows Capstan's port and its vocabulary, and nothing else of it.
 * Line talk is a made-up wire: one POST, answered by one JSON object a line.
 */
import {
  type AssistantBlock,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  messageOf,
  type ModelFinish,
  type ModelProvider,
  type ModelRequest,
  type ModelSettings,
  type ModelStreamPart,
  ProviderError,
  type ProviderFailure,
  toToolCallId,
} from "capstan";

export interface LineTalkOptions {
  /** As the configuration names the provider. */
  readonly name: string;
  readonly baseUrl: string;
}

const wire = "line-talk";

export function createLineTalkProvider(options: LineTalkOptions): ModelProvider {
  return {
    wire,
    stream: (request, model, signal) => talk(options, request, model, signal),
    close: () => undefined,
  };
}

async function* talk(
  options: LineTalkOptions,
  request: ModelRequest,
  model: ModelSettings,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelStreamPart[], void, undefined> {
  const answer = new Answer(options.name, model);
  try {
    const body = JSON.stringify(toBody(request, model));
    const response = await fetch(options.baseUrl, { method: "POST", body, signal });
    if (!response.ok) throw refused(options.name, response.status);
    for await (const lines of linesOf(response)) {
      const parts = lines.flatMap((line) => answer.take(line));
      if (parts.length > 0) yield parts;
      if (answer.finished) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ProviderError ? error : broken(options.name, answer.begun, error);
  }
  throw failure(options.name, { code: "provider.stream", message: "the answer broke off", retryable: true });
}

/** The conversation in the wire's words: who said what, calls and results included. */
function toBody({ system, messages, tools }: ModelRequest, model: ModelSettings): JsonObject {
  return {
    model: model.id,
    system,
    said: messages.flatMap(toLines),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, arguments: inputSchema })),
  };
}

function toLines(message: Message): readonly JsonObject[] {
  if (message.role === "user") {
    return message.content.flatMap((block): readonly JsonObject[] => {
      if (block.type === "text") return [{ user: block.text }];
      if (block.type === "tool-result") return [{ result: block.content, of: block.callId, failed: block.isError }];
      return [{ user: `[${block.mediaType}: line talk is text only]` }];
    });
  }
  return message.content.flatMap((block): readonly JsonObject[] => {
    if (block.type === "text") return [{ model: block.text }];
    if (block.type !== "tool-call") return [];
    const args = block.arguments.type === "json" ? block.arguments.value : {};
    return [{ call: block.name, id: block.callId, arguments: args }];
  });
}

/** One answer while its lines arrive. */
class Answer {
  finished = false;
  begun = false;
  private readonly provider: string;
  private readonly model: ModelSettings;
  private text = "";
  private readonly calls: AssistantBlock[] = [];

  constructor(provider: string, model: ModelSettings) {
    this.provider = provider;
    this.model = model;
  }

  take(line: JsonObject): readonly ModelStreamPart[] {
    this.begun = true;
    const { text, call, end } = line;
    if (typeof text === "string") {
      this.text += text;
      return [{ type: "text-delta", delta: text }];
    }
    if (isJsonObject(call)) return [this.takeCall(call)];
    if (isJsonObject(end)) return [this.finish(end)];
    return [{ type: "unknown", what: Object.keys(line)[0] ?? "line", raw: line }];
  }

  private takeCall(call: JsonObject): ModelStreamPart {
    const value = isJsonObject(call["arguments"]) ? call["arguments"] : {};
    const index = this.calls.length;
    const name = typeof call["name"] === "string" ? call["name"] : "";
    const callId = toToolCallId(`call_${index + 1}`);
    this.calls.push({ type: "tool-call", callId, name, arguments: { type: "json", value } });
    return { type: "tool-arguments-delta", index, name, delta: JSON.stringify(value) };
  }

  private finish(end: JsonObject): ModelFinish {
    this.finished = true;
    const text: readonly AssistantBlock[] = this.text === "" ? [] : [{ type: "text", text: this.text }];
    const origin = { provider: this.provider, model: this.model.id, wire };
    return {
      type: "finish",
      message: { role: "assistant", origin, content: [...text, ...this.calls] },
      reason: this.calls.length > 0 ? "tool-calls" : "stop",
      usage: {
        inputTokens: countOf(end["read"]),
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: countOf(end["written"]),
        reasoningTokens: 0,
      },
    };
  }
}

/** The lines of each piece of network input; what is torn waits for the next. */
async function* linesOf(response: Response): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield lines.filter((line) => line.trim() !== "").map(parseLine);
  }
}

function parseLine(line: string): JsonObject {
  const value: JsonValue = JSON.parse(line);
  return isJsonObject(value) ? value : {};
}

function countOf(value: unknown): number {
  return typeof value === "number" && value >= 0 ? Math.round(value) : 0;
}

function refused(provider: string, status: number): ProviderError {
  const retryable = status === 429 || status >= 500;
  return failure(provider, { code: "provider.http", status, message: `answered ${status}`, retryable });
}

function broken(provider: string, begun: boolean, error: unknown): ProviderError {
  const code = begun ? "provider.stream" : "provider.network";
  return failure(provider, { code, message: messageOf(error), retryable: true });
}

function failure(provider: string, what: Omit<ProviderFailure, "provider">): ProviderError {
  return new ProviderError({ ...what, provider, message: `${provider}: ${what.message}` });
}
