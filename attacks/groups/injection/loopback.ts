import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** A listener for whatever comes out: every byte is kept. */
export interface Loopback {
  readonly port: number;
  readonly dnsPort: number;
  /** All that arrived. */
  readonly received: () => string;
  readonly close: () => Promise<void>;
}

/** What is kept, in bytes: far more than any attempt sends. */
const keptBytes = 1024 * 1024;

export async function listenOnLoopback(): Promise<Loopback> {
  let received = "";
  const receive = (bytes: Buffer): void => {
    if (received.length < keptBytes) received += bytes.toString("latin1");
  };
  const server = createServer((socket) => {
    socket.on("data", (bytes) => {
      receive(bytes);
      socket.end("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
    socket.on("error", () => undefined);
  });
  const names = createSocket("udp4", receive);
  server.listen(0, "127.0.0.1");
  names.bind(0, "127.0.0.1");
  await Promise.all([once(server, "listening"), once(names, "listening")]);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address to listen on");
  return {
    port: address.port,
    dnsPort: names.address().port,
    received: () => received,
    close: async () => {
      names.close();
      server.close();
      await Promise.resolve();
    },
  };
}
