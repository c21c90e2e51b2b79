import type { AppError } from "@capstan/protocol";
import { streamWindowCharacters } from "../limits.ts";
import type { EventLine } from "../wire/event-line.ts";
import { errorOf } from "../wire/problem.ts";
import { EventQueue } from "./event-queue.ts";
import type { LinePeer, StreamListener } from "./line-peer.ts";

/** Taken characters that are worth a report: long before the server has to wait. */
const reportedCharacters = streamWindowCharacters / 4;

interface StreamKind<Value> {
  begin(listener: StreamListener): Promise<string>;
  /** What a line means to whoever iterates; `undefined`: nothing. */
  read(line: EventLine): Value | undefined;
  /** What the end of the connection means; `undefined`: an error. */
  lost(error: AppError): Value | undefined;
}

/** A stream of the server as an iteration: each begins one of its own, and ends it when it is given up. */
export function pulledStream<Value>(peer: LinePeer, kind: StreamKind<Value>): AsyncIterable<Value> {
  return { [Symbol.asyncIterator]: () => begin(peer, kind) };
}

function begin<Value>(peer: LinePeer, kind: StreamKind<Value>): AsyncIterator<Value> {
  let stream: string | undefined;
  let isGivenUp = false;
  let taken = 0;
  let reported = 0;
  const report = (): void => {
    if (stream === undefined || taken - reported < reportedCharacters) return;
    reported = taken;
    peer.notify("taken", { stream, characters: taken });
  };
  const queue = new EventQueue<Value>(
    (characters) => {
      taken += characters;
      report();
    },
    () => {
      isGivenUp = true;
      if (stream !== undefined) peer.end(stream);
    },
  );
  const settleStream = (name: string): void => {
    stream = name;
    if (isGivenUp) peer.end(name);
    else report();
  };
  const begun = kind.begin({
    event(line, characters) {
      const value = kind.read(line);
      if (value !== undefined) queue.push(value, characters);
      if (line.event === "closed") queue.finish(line.error === undefined ? undefined : errorOf(line.error));
    },
    lost(error) {
      const last = kind.lost(error);
      if (last !== undefined) queue.push(last, 0);
      queue.finish(last === undefined ? error : undefined);
    },
  });
  void begun.then(settleStream, (error: Error) => queue.finish(error));
  return queue;
}
