import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { startRehearsal } from "@capstan/rehearsal";
import type { Place } from "./contestants.ts";
import { rounds } from "./limits.ts";
import { median } from "./median.ts";
import { scenarios } from "./scenarios.ts";
import type { BenchWire } from "./wires.ts";

/** From the interrupt that the process is sent, in the middle of an answer, to its closed connection at the server; ms. */
export async function measureCancel(place: Place, wire: BenchWire): Promise<number> {
  const rehearsal = await startRehearsal({ scenario: scenarios.hangingAnswer(), checks: "off" });
  const door = await openDoor(rehearsal.port);
  const samples: number[] = [];
  try {
    for (let round = 0; round <= rounds.cancel; round += 1) {
      const connected = once(door.server, "connection");
      const child = place.start(door.url, wire);
      const exited = once(child, "exit");
      const [socket]: readonly Socket[] = await connected;
      await shows(child.stdout, "text-delta");
      if (socket === undefined) throw new Error("nobody came");
      const closed = once(socket, "close");
      const begin = performance.now();
      child.kill("SIGINT");
      await closed;
      // Round 0 warms caches.
      if (round > 0) samples.push(performance.now() - begin);
      await exited;
    }
    return median(samples);
  } finally {
    door.server.close();
    await rehearsal.close();
  }
}

/** Before the model server, to see when connections close. */
async function openDoor(targetPort: number): Promise<{ server: ReturnType<typeof createServer>; url: string }> {
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    client.on("error", () => target.destroy());
    target.on("error", () => client.destroy());
    client.once("close", () => target.destroy());
    client.pipe(target).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the door does not listen");
  return { server, url: `http://127.0.0.1:${address.port}` };
}

async function shows(stdout: NodeJS.ReadableStream, word: string): Promise<void> {
  let text = "";
  while (!text.includes(word)) {
    const [piece]: readonly Buffer[] = await once(stdout, "data");
    text += String(piece);
  }
  stdout.resume();
}
