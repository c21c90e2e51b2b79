import type { JsonObject, JsonValue } from "@capstan/protocol";
import type { PlainDelta } from "./delta-template.ts";
import type { PartBuffer } from "./part-buffer.ts";

/** Understands one answer of one wire. Throws `ProviderError` for reported errors and for whatever breaks the wire's rules. */
export interface WireReader {
  readonly parts: PartBuffer;
  /** The finish was handed on; nothing that follows counts. */
  readonly finished: boolean;
  /** One event. `raw` is its text. */
  read(event: JsonObject, name: string | undefined, raw: string): void;
  /** What an event that was read adds, when it adds one piece of text and does nothing else that matters before the next one. Changes nothing. */
  plainDelta?(event: JsonObject): PlainDelta | undefined;
  /** The last of many events whose texts were taken and the rest was not: reads what counts on from event to event. */
  catchUp?(event: JsonObject): void;
  /** A text of one event that is not JSON but has a meaning on this wire; false: it has none. */
  readWord(word: string): boolean;
  /** The stream has ended: finishes where the wire allows that. */
  end(): void;
  /** A whole answer in one document, as servers send it that do not stream; false: it is none. */
  readDocument(document: JsonObject): boolean;
  /** The same for wires whose events come as one list where the stream is not asked for, or a proxy lost the request for it. */
  readList?(events: readonly JsonValue[]): boolean;
}
