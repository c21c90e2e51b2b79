import { randomBytes } from "node:crypto";
import { chmod, lstat, rename, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { AppError, type EngineClient } from "@capstan/protocol";
import { connected, endSoon } from "./connection.ts";
import { maxConnections } from "./limits.ts";
import type { SocketOptions } from "./socket-lines.ts";
import { prepareFolder, requireShortPath } from "./socket-place.ts";

/** A socket that is listened on. */
export interface SocketServer {
  readonly path: string;
  /**
   * Removes the socket and ends its connections. What a client still asks for is not waited for: it may be waiting for this very closing,
   * and its answer reaches nobody any more.
   */
  close(): Promise<void>;
}

/**
 * Serves an engine to this user's other processes, which are all that can enter the socket's folder (0700). What a dead process left
 * there is replaced.
 * @throws AppError `session.busy` when another process listens there, `remote.unreachable` when no socket can be there
 */
export async function serveSocket(path: string, engine: EngineClient, options: SocketOptions): Promise<SocketServer> {
  requireShortPath(path);
  await prepareFolder(path);
  await refuseLiving(path);
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    void serve(socket, engine, options);
  });
  server.maxConnections = maxConnections;
  const inode = await listen(server, path);
  return {
    path,
    async close() {
      await removeOwn(path, inode);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of connections) endSoon(socket);
      await closed;
    },
  };
}

/** What it takes to speak with a client loads with the first one: most processes are joined by nobody. */
async function serve(socket: Socket, engine: EngineClient, options: SocketOptions): Promise<void> {
  socket.on("error", () => socket.destroy());
  socket.pause();
  try {
    const { serveConnection } = await import("./socket-lines.ts");
    await serveConnection(socket, engine, options);
  } catch {
    socket.destroy();
  }
}

/** Listens under another name first, so that the path never leads to what is not ready, and never to nothing. */
async function listen(server: Server, path: string): Promise<number> {
  const beside = join(dirname(path), `.${randomBytes(4).toString("hex")}`);
  requireShortPath(beside);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(beside, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.unref();
  try {
    await chmod(beside, 0o600);
    const { ino } = await lstat(beside);
    await rename(beside, path);
    return ino;
  } catch (error) {
    server.close();
    throw error;
  }
}

/** @throws AppError `session.busy` */
async function refuseLiving(path: string): Promise<void> {
  const living = await connected(path).catch(() => undefined);
  if (living === undefined) return;
  living.destroy();
  throw new AppError("session.busy", `another process listens on ${path}`);
}

/** Another process may have replaced it meanwhile. */
async function removeOwn(path: string, inode: number): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.ino === inode) await rm(path, { force: true });
}
