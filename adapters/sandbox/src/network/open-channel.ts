import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";

/** Two ends of one stream. */
export interface Channel {
  readonly ours: Socket;
  /** To be inherited by the other side. */
  readonly descriptor: number;
  /** Closes both ends. */
  close(): void;
}

/**
 * A pair of connected Unix sockets: they lead nowhere else, and stay what they are whatever their holder tries.
 * @param directory  where a socket has a name for a moment
 * @throws the system's error
 */
export async function openChannel(directory: string): Promise<Channel> {
  const name = `channel-${randomBytes(8).toString("hex")}`;
  const folder = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  // Through the descriptor: the path of a socket must be short.
  const path = `/proc/self/fd/${folder}/${name}`;
  const server = createServer();
  try {
    server.listen(path);
    await once(server, "listening");
    const theirs = connect(path).pause();
    const [ours] = await Promise.all([acceptOne(server), once(theirs, "connect")]);
    theirs.on("error", () => theirs.destroy());
    ours.on("error", () => ours.destroy());
    return {
      ours,
      descriptor: descriptorOf(theirs),
      close: () => {
        theirs.destroy();
        ours.destroy();
      },
    };
  } finally {
    server.close();
    rmSync(path, { force: true });
    closeSync(folder);
  }
}

async function acceptOne(server: Server): Promise<Socket> {
  return new Promise((resolve, reject) => {
    server.once("connection", resolve);
    server.once("error", reject);
  });
}

/** Node hands out the number of a socket's descriptor only through its handle. */
function descriptorOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, "_handle");
  const descriptor: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "fd") : undefined;
  if (typeof descriptor !== "number" || descriptor < 0) throw new Error("a socket has no descriptor");
  return descriptor;
}
