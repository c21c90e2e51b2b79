import { once } from "node:events";
import { type IncomingMessage, request as plainRequest, type ServerResponse } from "node:http";
import { request as secureRequest } from "node:https";
import { limits } from "../limits.ts";
import { answerHeadersFor, requestHeadersFor } from "./pass-headers.ts";
import { forwardPath } from "./target.ts";

/** What came back while a request was forwarded. */
export interface Forwarded {
  readonly incoming: IncomingMessage;
  /** At most the limit of what is recorded. */
  readonly chunks: readonly Buffer[];
  readonly isWhole: boolean;
  /** More came than is recorded. */
  readonly isCut: boolean;
}

/**
 * Sends a request on to the endpoint.
 * @param gone  aborts when the client leaves, and then ends the request as well
 * @returns the answer, its body still to come
 * @throws what the network says when there is no answer
 */
export async function askEndpoint(
  target: URL,
  request: IncomingMessage,
  body: Buffer,
  gone: AbortSignal,
): Promise<IncomingMessage> {
  const send = target.protocol === "https:" ? secureRequest : plainRequest;
  const outgoing = send({
    protocol: target.protocol,
    hostname: target.hostname.replace(/^\[|\]$/g, ""),
    port: target.port,
    path: forwardPath(target.pathname, request.url ?? "/"),
    method: request.method,
    headers: requestHeadersFor(request.headers, body.length),
    // A connection that was kept may just have been closed at the other end: the failure would be recorded as the endpoint's.
    agent: false,
    signal: gone,
  });
  // The first failure rejects below; later ones are the answer's, and reported there.
  outgoing.on("error", () => undefined);
  const answered = once(outgoing, "response", { signal: gone });
  outgoing.end(body);
  const [incoming] = await answered;
  return incoming;
}

/** Passes an answer to the client, byte by byte as it comes, up to its end, which is left to the caller. */
export async function passAnswer(
  incoming: IncomingMessage,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<Forwarded> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  response.writeHead(incoming.statusCode ?? 502, answerHeadersFor(incoming.headers));
  response.flushHeaders();
  try {
    for await (const chunk of incoming) {
      if (!Buffer.isBuffer(chunk)) continue;
      sizeBytes += chunk.length;
      if (sizeBytes <= limits.recordedAnswerBytes) chunks.push(chunk);
      if (!response.write(chunk)) await once(response, "drain", { signal: gone });
    }
  } catch {
    // The connection died, on one side or the other: what came until then is what is recorded.
    return { incoming, chunks, isWhole: false, isCut: false };
  }
  return { incoming, chunks, isWhole: incoming.complete, isCut: sizeBytes > limits.recordedAnswerBytes };
}
