import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { inCapstanPlace } from "../../stage/capstan-place.ts";
import { type Attack, outcome } from "../../suite/attack.ts";

/** V4: vendors that answer with something else. */
export function hostileVendors(): readonly Attack[] {
  return vendors.map(({ name, answer, isThrough }): Attack => ({
    row: "V4",
    input: name,
    attempt: async () => await answered(answer, isThrough),
    control: async () => await fetchedNaively(answer, isThrough),
  }));
}

interface Vendor {
  readonly name: string;
  /** @param where  of the server that nobody should be sent to */
  readonly answer: (response: ServerResponse, where: string) => void;
  readonly isThrough: (seen: Seen) => boolean;
}

interface Seen {
  /** What was shown. */
  readonly text: string;
  /** Requests that came where nobody should be sent, with their key. */
  readonly misled: readonly string[];
  /** Bytes that were taken in. */
  readonly bytes: number;
}

const sse = { "content-type": "text/event-stream" };
const most = 96 * 1024 * 1024;

const vendors: readonly Vendor[] = [
  ...[301, 302, 307, 308].map((status): Vendor => ({
    name: `a redirect, ${status}`,
    answer: (response, where) => void response.writeHead(status, { location: `${where}/v1/messages` }).end(),
    isThrough: ({ misled }) => misled.length > 0,
  })),
  {
    name: "a page",
    answer: (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>PAGE-WAS-TAKEN</html>"),
    isThrough: ({ text }) => text.includes("<html>PAGE-WAS-TAKEN"),
  },
  {
    name: "an answer without end",
    answer: (response) => flood(response.writeHead(200, sse), `data: ${"x".repeat(65_536)}`),
    isThrough: ({ bytes }) => bytes > most,
  },
  {
    name: "an error without end",
    answer: (response) => flood(response.writeHead(400, { "content-type": "application/json" }), "x".repeat(65_536)),
    isThrough: ({ bytes }) => bytes > most,
  },
]; // prettier-ignore

/** Sends for as long as it is taken, up to what proves the point. */
function flood(response: ServerResponse, piece: string): void {
  let sent = 0;
  const send = (): void => {
    while (sent <= most + piece.length && !response.destroyed) {
      sent += piece.length;
      if (!response.write(piece)) return void response.once("drain", send);
    }
    response.end();
  };
  send();
}

async function answered(answer: Vendor["answer"], isThrough: Vendor["isThrough"]): ReturnType<Attack["attempt"]> {
  return await withServers(answer, async (url, misled, bytes) =>
    inCapstanPlace(async (place) => {
      const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "key-that-opens-nothing" };
      const words = [
        "run",
        "-m",
        "anthropic/rehearsal",
        "--set",
        "retry.base_delay_ms=1",
        "--set",
        "retry.max_attempts=1",
      ];
      const { stdout, stderr, code } = await place.start([...words, "go"], { env });
      const seen = { text: stdout + stderr, misled, bytes: bytes() };
      return outcome(
        isThrough(seen),
        `exit ${code}, ${seen.bytes} bytes, ${misled.length} misled: ${stderr.slice(0, 100)}`,
      );
    }),
  );
}

async function fetchedNaively(answer: Vendor["answer"], isThrough: Vendor["isThrough"]): ReturnType<Attack["attempt"]> {
  return await withServers(answer, async (url, misled, bytes) => {
    const response = await fetch(`${url}/v1/messages`, { method: "POST", body: "{}", headers: { "x-api-key": "k" } });
    const text = await response.text();
    return outcome(isThrough({ text, misled, bytes: bytes() }), `${bytes()} bytes, ${misled.length} misled`);
  });
}

type UseServers<Result> = (url: string, misled: readonly string[], bytes: () => number) => Promise<Result>;

async function withServers<Result>(answer: Vendor["answer"], use: UseServers<Result>): Promise<Result> {
  const misled: string[] = [];
  const trap = createServer((request, response) => {
    misled.push(`${request.method} ${String(request.headers["x-api-key"] ?? "")}`);
    response.end("{}");
  });
  const where = await listen(trap);
  const vendor = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(response, where));
  });
  const sockets: Socket[] = [];
  vendor.on("connection", (socket: Socket) => sockets.push(socket));
  try {
    return await use(await listen(vendor), misled, () =>
      sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    );
  } finally {
    for (const server of [trap, vendor]) {
      server.closeAllConnections();
      server.close();
    }
  }
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address to listen on");
  return `http://127.0.0.1:${address.port}`;
}
