import type { Socket } from "node:net";
import type { EngineClient } from "@capstan/protocol";
import { maxRequestLineBytes, serveEngine } from "@capstan/remote";
import type { SocketOptions } from "./socket-options.ts";
import { socketChannel } from "./socket-channel.ts";

/** Serves one connection to its end. */
export async function serveConnection(socket: Socket, engine: EngineClient, options: SocketOptions): Promise<void> {
  const channel = socketChannel(socket, maxRequestLineBytes);
  await serveEngine(engine, channel, { ...options, mayName: true, processId: process.pid });
}
