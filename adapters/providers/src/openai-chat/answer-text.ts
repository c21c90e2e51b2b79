import type { ToolDefinition } from "@capstan/protocol";
import { DeltaText } from "../shared/stream/delta-text.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import type { ChatDialect } from "./chat-dialect.ts";
import type { OfferedCall } from "./text-calls/offered-calls.ts";
import { TextCalls } from "./text-calls/text-calls.ts";
import { ThinkTags } from "./think-tags.ts";

/**
 * The text and the thinking of one answer. Content goes through what the dialect wants of it, and through nothing where it wants
 * nothing; what was handed on is never taken back.
 */
export class AnswerText {
  private readonly parts: PartBuffer;
  private readonly spoken: DeltaText = new DeltaText();
  private readonly thoughts: DeltaText = new DeltaText();
  private readonly tags: ThinkTags | undefined;
  private readonly calls: TextCalls | undefined;

  /** @param tools  those of the request: no other can be called */
  constructor(parts: PartBuffer, dialect: ChatDialect, tools: readonly ToolDefinition[]) {
    const { thinkTags, textToolCalls } = dialect;
    const text = (piece: string): void => this.text(piece);
    this.parts = parts;
    this.calls = textToolCalls === "off" || tools.length === 0 ? undefined : new TextCalls(textToolCalls, tools, text);
    const sink = { thinking: (piece: string) => this.thinking(piece), text: (piece: string) => this.untagged(piece) };
    this.tags = thinkTags === "off" ? undefined : new ThinkTags(thinkTags, sink);
  }

  get said(): string {
    return this.spoken.text;
  }

  get thought(): string {
    return this.thoughts.text;
  }

  /** A piece of the answer, with whatever the model wrote into it. */
  content(piece: string): void {
    if (this.tags === undefined) this.untagged(piece);
    else this.tags.add(piece);
  }

  thinking(piece: string): void {
    this.parts.thinking(this.thoughts.add(piece));
  }

  /** A piece that is text and nothing else. */
  text(piece: string): void {
    this.parts.text(this.spoken.add(piece));
  }

  /** The server reads calls itself. */
  stopCalls(): void {
    this.calls?.stop();
  }

  /**
   * No more pieces come.
   * @param whole  whether calls in the text are meant: the answer was not cut, and has no others
   * @returns the calls that were written as text
   */
  end(whole: boolean): readonly OfferedCall[] {
    this.tags?.end();
    if (!whole) this.stopCalls();
    const calls = this.calls?.end() ?? [];
    this.parts.thinking(this.thoughts.end());
    this.parts.text(this.spoken.end());
    return calls;
  }

  private untagged(piece: string): void {
    if (this.calls === undefined) this.text(piece);
    else this.calls.add(piece);
  }
}
