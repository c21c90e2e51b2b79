import { once } from "node:events";
import type { Server } from "node:http";
import { AppError, messageOf } from "@capstan/protocol";

/**
 * @returns the port, which is another one where 0 was asked for
 * @throws {AppError} `rehearsal.port` when the server cannot listen there
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    const listening = once(server, "listening");
    server.listen({ port, host });
    await listening;
  } catch (error) {
    throw new AppError("rehearsal.port", `cannot listen on ${host}:${port}: ${reason(error)}`, {
      cause: error,
      hint: "Choose another port with `--port`; 0 takes any free one.",
    });
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

function reason(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  switch (code) {
    case "EADDRINUSE":
      return "the port is in use";
    case "EACCES":
      return "the port needs more rights";
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return "this machine has no such address";
    default:
      return messageOf(error);
  }
}

/** Without a trailing slash. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
