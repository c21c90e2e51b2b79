import type { Socket } from "node:net";
import { AppError, type ClientIdentity, type EngineClient } from "@capstan/protocol";
import {
  type LineChannel,
  maxRequestLineBytes,
  maxServerLineBytes,
  type NamedClient,
  RemoteEngine,
  serveEngine,
  StreamChannel,
} from "@capstan/remote";
import { connected, endSoon, unreachable } from "./connection.ts";
import { connectTimeoutMs } from "./limits.ts";

export interface SocketOptions {
  /** What the user's own clients may do. They may name their frontend and user, and lower their role. */
  readonly identity: ClientIdentity;
  /** The frontend of the process that serves, as its clients see it. */
  readonly owner?: string;
  readonly version: string;
}

/** Serves one connection to its end. */
export async function serveConnection(socket: Socket, engine: EngineClient, options: SocketOptions): Promise<void> {
  const channel = socketChannel(socket, maxRequestLineBytes);
  await serveEngine(engine, channel, { ...options, mayName: true, processId: process.pid });
}

/**
 * Joins the process that listens on a socket.
 * @param named  what this client says of itself
 * @throws AppError `remote.unreachable` when nobody answers there; `door.role`
 */
export async function joinSocket(path: string, named: NamedClient = {}): Promise<RemoteEngine> {
  const socket = await connected(path);
  const timeout = setTimeout(() => socket.destroy(), connectTimeoutMs);
  try {
    return await RemoteEngine.connect(socketChannel(socket, maxServerLineBytes), named);
  } catch (error) {
    socket.destroy();
    if (error instanceof AppError && error.code !== "remote.closed") throw error;
    throw unreachable(path, error);
  } finally {
    clearTimeout(timeout);
  }
}

/** Lines over a connected socket. @param maxLineBytes  of a received line */
function socketChannel(socket: Socket, maxLineBytes: number): LineChannel {
  // The end of the lines and the failure of a write say the same, to whom it concerns.
  socket.on("error", () => undefined);
  return new StreamChannel({
    input: socket,
    output: socket,
    maxLineBytes,
    end: () => endSoon(socket),
  });
}
