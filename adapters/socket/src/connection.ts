import { createConnection, type Socket } from "node:net";
import { AppError, messageOf } from "@capstan/protocol";
import { closeGraceMs } from "./limits.ts";
import { requireOwn, requireShortPath } from "./socket-place.ts";

/** @throws AppError `remote.unreachable` */
export async function connected(path: string): Promise<Socket> {
  requireShortPath(path);
  try {
    await requireOwn(path);
    return await new Promise((resolve, reject) => {
      const socket = createConnection({ path });
      // It stays: an error after the connection stands is the end of the lines, and nothing else.
      socket.on("error", reject);
      socket.once("connect", () => resolve(socket));
    });
  } catch (error) {
    throw error instanceof AppError ? error : unreachable(path, error);
  }
}

export function unreachable(path: string, cause: unknown): AppError {
  return new AppError("remote.unreachable", `nobody answers at ${path}: ${messageOf(cause)}`, { cause });
}

/** Ends a connection once what was sent is taken; whoever does not take it is cut off. */
export function endSoon(socket: Socket): void {
  socket.destroySoon();
  const cut = setTimeout(() => socket.destroy(), closeGraceMs);
  socket.once("close", () => clearTimeout(cut));
}
