import { limits } from "../../limits.ts";
import type { Failures } from "../failures.ts";
import { objectOf, parseJson, parseObject } from "../json-fields.ts";
import { compact } from "./compact.ts";
import { DeltaTemplate } from "./delta-template.ts";
import type { WireReader } from "./wire-reader.ts";

/** Hands the events of one answer to its reader: those that only continue with a text by their form, all others parsed. */
export class EventFeed {
  private readonly reader: WireReader;
  private readonly failures: Failures;
  private template: DeltaTemplate | undefined;
  /** Texts taken by the template that the reader does not have yet. */
  private pending = "";
  /** The last event that was not parsed. */
  private skimmed: string | undefined;
  private templatesLeft: number = limits.deltaTemplates;
  private ending = false;

  constructor(reader: WireReader, failures: Failures) {
    this.reader = reader;
    this.failures = failures;
  }

  /** One event; `handOn` is to follow. @throws {ProviderError} what the reader throws; when it is no JSON */
  take(data: string, name: string | undefined): void {
    if (this.reader.finished) return;
    const text = this.template?.textOf(data, name);
    if (text !== undefined) {
      this.pending += text;
      this.skimmed = data;
      return;
    }
    this.catchUp();
    const event = parseObject(data);
    if (event === undefined) return this.takeWord(data);
    this.reader.read(event, name, data);
    if (this.reader.finished || this.reader.plainDelta === undefined) return;
    const delta = this.reader.plainDelta(event);
    if (delta === undefined || this.templatesLeft === 0) return;
    this.templatesLeft -= 1;
    this.template = DeltaTemplate.learn(data, name, delta, (raw) => {
      const probed = parseObject(raw);
      return probed === undefined ? undefined : this.reader.plainDelta?.(probed);
    });
  }

  /** A line that says by its field that the answer has failed. @throws {ProviderError} what it says */
  takeError(value: string): void {
    if (this.reader.finished) return;
    this.catchUp();
    const said = parseJson(value);
    const object = objectOf(said);
    const error = object?.["error"] === undefined ? { error: object ?? { message: value.trim() } } : object;
    this.reader.read(error, "error", value);
  }

  /** The input has ended; what its end still brings may be the torn rest of an event. */
  end(): void {
    this.ending = true;
  }

  /** Hands texts on that wait: those of one piece of network input go together. */
  handOn(): void {
    if (this.pending === "") return;
    const text = compact(this.pending);
    this.pending = "";
    this.template?.add(text);
  }

  /** Gives the reader what the events that were not parsed had beside their text: the last one says it all. */
  catchUp(): void {
    this.handOn();
    this.template = undefined;
    if (this.skimmed === undefined) return;
    const event = parseObject(this.skimmed);
    this.skimmed = undefined;
    // A template that was of use costs nothing.
    this.templatesLeft = limits.deltaTemplates;
    if (event !== undefined) this.reader.catchUp?.(event);
  }

  private takeWord(data: string): void {
    const word = data.trim();
    if (word === "" || this.reader.readWord(word)) return;
    // The last event of a stream that was cut is no sign of a confused server.
    if (this.ending) throw this.failures.cut("the answer broke off in the middle of an event");
    throw this.failures.protocol(`an event is not JSON: ${word.slice(0, 80)}`, true);
  }
}
