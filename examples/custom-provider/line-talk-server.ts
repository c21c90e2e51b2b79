import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { JsonObject } from "capstan";

/** A server that speaks line talk, for want of a model that does. */
export interface LineTalkServer {
  readonly url: string;
  /** What was asked, oldest first. */
  readonly asked: readonly JsonObject[];
  close(): Promise<void>;
}

/** @param answer  writes the answer to the n-th request, from 0 */
export async function serveLineTalk(
  answer: (response: ServerResponse, request: number) => void,
): Promise<LineTalkServer> {
  const asked: JsonObject[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body: JsonObject = JSON.parse(Buffer.concat(pieces).toString("utf8"));
      answer(response, asked.push(body) - 1);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Writes the lines of an answer. */
export function writeLines(response: ServerResponse, lines: readonly JsonObject[]): void {
  for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
}
