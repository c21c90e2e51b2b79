/** A client that reads slowly or not at all costs the server a bounded amount, and nobody else anything. */
import type { EngineClient, Frame } from "@capstan/protocol";
import { memoryEngine } from "@capstan/testkit";
import { expect, test } from "vitest";
import { RemoteEngine, serveEngine } from "../../src/index.ts";
import { maxOutstandingCharacters, streamWindowCharacters } from "../../src/limits.ts";
import { type Connected, connected } from "../pipe.ts";

const frameCharacters = 10_000;
const identity = { frontend: "test", role: "operate" } as const;
const everything = { identity, purpose: "drive" } as const;

interface Flood {
  readonly engine: EngineClient;
  /** Frames that were pulled from attachments. */
  readonly pulled: () => number;
  /** Resolves when nothing more is pulled for now. */
  settled(): Promise<void>;
}

/** An engine whose sessions have more to say than anybody reads. */
function flood(frames: number): Flood {
  const engine = memoryEngine();
  let pulled = 0;
  async function* attach(): AsyncGenerator<Frame> {
    for (let seq = 1; seq <= frames; seq += 1) {
      pulled += 1;
      const text = "x".repeat(frameCharacters);
      yield { type: "record", event: { seq, at: 0, record: { type: "notice", level: "info", code: "x", text } } };
    }
  }
  /** Its number is that of the last frame, so that whoever waits for the end of its turns waits for all of them. */
  const open: EngineClient["open"] = async (...how) => {
    const session = await engine.open(...how);
    const snapshot = session.snapshot.bind(session);
    return Object.assign(session, { attach, snapshot: async () => ({ ...(await snapshot()), seq: frames }) });
  };
  return {
    engine: { ...engine, open },
    pulled: () => pulled,
    async settled() {
      let before = -1;
      while (before !== pulled) {
        before = pulled;
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function serve({ engine }: Flood): Connected {
  const connection = connected();
  void serveEngine(engine, connection.server, { identity, mayName: true, version: "1", processId: 1 });
  return connection;
}

test("nothing is pulled for a client that reads nothing, once the channel is full", async () => {
  const source = flood(10_000);
  const { toClient, toServer } = serve(source);
  toClient.isHeld = true;
  toServer.write('{"id":"1","op":"sessions.create","params":{"id":"s"}}\n');
  for (let at = 0; at < 3; at += 1)
    toServer.write(`{"id":"a${at}","op":"attach","params":{"sessionId":"s","after":0}}\n`);
  await source.settled();
  // Every attachment holds one frame that the channel does not take.
  expect(source.pulled()).toBeGreaterThan(10);
  expect(source.pulled() * frameCharacters).toBeLessThan(maxOutstandingCharacters + 4 * (frameCharacters + 1000));
  expect(toClient.unread).toBeLessThan(maxOutstandingCharacters + 4 * (frameCharacters + 1000));
});

test("an attachment that is not read stops at its window, and requests and other attachments continue", async () => {
  const source = flood(500);
  const engine = await RemoteEngine.connect(serve(source).client);
  const session = await engine.open({ type: "new" }, everything);
  const unread = session.attach(0)[Symbol.asyncIterator]();
  expect((await unread.next()).done).toBe(false);
  await source.settled();
  const atRest = source.pulled();
  expect(atRest * frameCharacters).toBeLessThan(streamWindowCharacters + 3 * frameCharacters);
  expect(await session.snapshot()).toMatchObject({ sessionId: session.id });
  let seen = 0;
  for await (const frame of session.attach(0)) if (frame.type === "record") seen += 1;
  expect(seen).toBe(500);
  expect(source.pulled()).toBe(atRest + 500);
  // What was not read comes when it is read, all of it.
  let rest = 1;
  for (let next = await unread.next(); next.done !== true; next = await unread.next())
    if (next.value.type === "record") rest += 1;
  expect(rest).toBe(500);
  await engine.close();
});

test("a client that only reads on, and says nothing any more, receives all of what it began to follow", async () => {
  const frames = 300;
  expect(frames * frameCharacters).toBeGreaterThan(2 * streamWindowCharacters);
  const source = flood(frames);
  const { server, client, toServer } = connected();
  let read = 0;
  const reading = (async () => {
    for await (const line of client.lines) if (line.type === "line") read += 1;
  })();
  void serveEngine(source.engine, server, {
    identity,
    mayName: true,
    version: "1",
    processId: 1,
    atEnd: () => "finish-turns",
  });
  toServer.write('{"id":"1","op":"sessions.create","params":{"id":"s"}}\n');
  toServer.write(`{"id":"2","op":"attach","params":{"sessionId":"s","after":0,"window":${streamWindowCharacters}}}\n`);
  await source.settled();
  expect(source.pulled()).toBeLessThan(frames);
  toServer.end();
  await source.settled();
  expect(source.pulled()).toBe(frames);
  await reading;
  // The two answers, every frame, and the stream's end at most.
  expect(read).toBeGreaterThanOrEqual(frames + 2);
});

test("a client that sends and never reads is not read any further", async () => {
  const source = flood(0);
  const { toClient, toServer } = serve(source);
  toClient.isHeld = true;
  const request = `{"id":"${"x".repeat(900)}","op":"nothing"}\n`;
  for (let at = 0; at < 2000; at += 1) toServer.write(request);
  await source.settled();
  expect(toClient.unread).toBeLessThan(2 * maxOutstandingCharacters);
  expect(toServer.unread).toBeGreaterThan(1000 * request.length);
  toClient.release();
});
