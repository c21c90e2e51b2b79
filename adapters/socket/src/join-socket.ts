import { AppError } from "@capstan/protocol";
import { maxServerLineBytes, type NamedClient, RemoteEngine } from "@capstan/remote";
import { connected, unreachable } from "./connected.ts";
import { connectTimeoutMs } from "./limits.ts";
import { socketChannel } from "./socket-channel.ts";

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
