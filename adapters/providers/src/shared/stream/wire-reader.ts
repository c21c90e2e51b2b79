import type { JsonObject } from "@capstan/protocol";
import type { PartBuffer } from "./part-buffer.ts";

/** Understands one answer of one wire. Throws `ProviderError` for reported errors and for whatever breaks the wire's rules. */
export interface WireReader {
  readonly parts: PartBuffer;
  /** The finish was handed on; nothing that follows counts. */
  readonly finished: boolean;
  /** One event. `raw` is its text. */
  read(event: JsonObject, name: string | undefined, raw: string): void;
  /** A text of one event that is not JSON but has a meaning on this wire; false: it has none. */
  readWord(word: string): boolean;
  /** The stream has ended: finishes where the wire allows that. */
  end(): void;
  /** A whole answer in one document, as servers send it that do not stream; false: it is none. */
  readDocument(document: JsonObject): boolean;
}
