import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A real HTTP server on loopback, gone when the test ends; what no route says is not found. */
export async function serveJson(
  routes: Readonly<Record<string, unknown>>,
): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    asked.push(path);
    const found = Object.hasOwn(routes, path) ? routes[path] : undefined;
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(typeof found === "string" ? found : JSON.stringify(found ?? { error: { message: "nothing here" } }));
  };
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, asked };
}
