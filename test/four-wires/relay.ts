import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { limited } from "../end-to-end/stage/place.ts";

/** A door before a server, which reports who goes in and out. */
export interface Relay {
  readonly port: number;
  readonly url: string;
  /** Resolves when so many connections have been made. */
  opened(count: number): Promise<void>;
  /** Resolves when the client has closed so many of its connections. */
  closed(count: number): Promise<void>;
}

/** @param targetPort  where connections lead to; `undefined`: they are taken, and nothing is ever said on them */
export async function startRelay(targetPort: number | undefined): Promise<Relay> {
  const sockets = new Set<Socket>();
  const looks = new Set<() => void>();
  const counts = { opened: 0, closed: 0 };
  const increment = (what: keyof typeof counts): void => {
    counts[what] += 1;
    for (const look of looks) look();
  };
  const reached = (what: keyof typeof counts, count: number): Promise<void> =>
    limited(`${count} connections ${what}`, (resolve) => {
      const look = (): void => {
        if (counts[what] >= count) resolve();
      };
      looks.add(look);
      look();
    });
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => undefined);
    client.once("close", () => increment("closed"));
    client.resume();
    increment("opened");
    if (targetPort === undefined) return;
    const target = connect(targetPort, "127.0.0.1");
    target.on("error", () => client.destroy());
    client.once("close", () => target.destroy());
    client.pipe(target).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    opened: (count) => reached("opened", count),
    closed: (count) => reached("closed", count),
  };
}
