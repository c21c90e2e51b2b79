import { createParser, type EventSourceParser } from "eventsource-parser";
import { limits } from "../../limits.ts";
import { Utf8Text } from "./utf8-text.ts";

/** Called with the value of a line `error:`, which is no field of the standard: some servers end a stream with it (llama.cpp). */
export type OnErrorLine = (value: string) => void;

/** Called once per event; `event` is its name, where it has one. */
export type OnEvent = (data: string, event: string | undefined) => void;

/** Turns the bytes of an event stream into events, however they are cut. */
export class EventSource {
  private readonly text = new Utf8Text();
  private readonly parser: EventSourceParser;
  private overflowed = false;

  constructor(onEvent: OnEvent, onErrorLine: OnErrorLine) {
    this.parser = createParser({
      onEvent: (message) => onEvent(message.data, message.event),
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.overflowed = true;
        // All other unknown fields are ignored, as the standard says.
        if (error.type === "unknown-field" && error.field === "error") onErrorLine(error.value ?? "");
      },
      maxBufferSize: limits.eventChars,
    });
  }

  /** Returns false once an event is longer than `limits.eventChars`. */
  feed(bytes: Buffer): boolean {
    this.parser.feed(this.text.add(bytes));
    return !this.overflowed;
  }

  /** The input has ended: an event whose last blank line is missing is still an event. */
  end(): void {
    if (!this.overflowed) this.parser.feed(`${this.text.end()}\n\n`);
  }
}
