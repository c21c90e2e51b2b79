import { request, type Agent, type IncomingHttpHeaders } from "node:http";

/** What a client without any SDK sees of one exchange. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** `whole`: the body ended as HTTP says; `broken`: the connection died first; `refused`: before any answer. */
  readonly end: "whole" | "broken" | "refused";
}

export const anthropicHeaders = {
  "x-api-key": "k",
  "anthropic-version": "2023-06-01",
  "content-type": "application/json",
};
export const chatHeaders = { authorization: "Bearer k", "content-type": "application/json" };

export const anthropicBody = {
  model: "claude-test",
  max_tokens: 100,
  stream: true,
  messages: [{ role: "user", content: "hello" }],
};
export const chatBody = { model: "gpt-test", stream: true, messages: [{ role: "user", content: "hello" }] };

interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is; anything else as JSON. */
  readonly body?: unknown;
  readonly agent?: Agent;
  /** Called with each piece; the client leaves when it returns true. */
  readonly leaveAfter?: (received: number) => boolean;
}

export function call(url: string, options: RawRequest = {}): Promise<RawAnswer> {
  const { method = "POST", headers = {}, body, agent, leaveAfter } = options;
  return new Promise((resolve) => {
    const outgoing = request(url, { method, headers, ...(agent !== undefined && { agent }) }, (incoming) => {
      const chunks: Buffer[] = [];
      let received = 0;
      const finish = (end: "whole" | "broken"): void => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text: bytes.toString(), end });
      };
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        received += chunk.length;
        if (leaveAfter?.(received) === true) outgoing.destroy();
      });
      incoming.on("end", () => finish("whole"));
      incoming.on("error", () => finish("broken"));
    });
    outgoing.on("error", () => resolve({ status: 0, headers: {}, bytes: Buffer.alloc(0), text: "", end: "refused" }));
    outgoing.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  });
}

export function askAnthropic(url: string, body: unknown = anthropicBody): Promise<RawAnswer> {
  return call(`${url}/v1/messages`, { headers: anthropicHeaders, body });
}

export function askChat(url: string, body: unknown = chatBody): Promise<RawAnswer> {
  return call(`${url}/v1/chat/completions`, { headers: chatHeaders, body });
}
