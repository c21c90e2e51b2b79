import type { Message, UserMessage } from "@capstan/protocol";

/** To how many UTF-16 units the tool results of the first messages are cut. */
export interface Shortened {
  readonly messageCount: number;
  readonly characters: number;
  /** Where the whole of a result is, by its call; `null`: it could not be written. */
  readonly files?: Readonly<Record<string, string | null>>;
}

/** What a model is shown of a conversation. */
export interface ShortenedConversation {
  readonly conversation: readonly Message[];
  readonly summary: { readonly messageCount: number } | null;
  readonly shortened: Shortened | null;
}

/** The results that are shown cut and of which no file was written yet. */
export function resultsToKeep({ conversation, summary, shortened }: ShortenedConversation): readonly ResultBlock[] {
  if (shortened === null) return [];
  const { messageCount, characters, files = {} } = shortened;
  return conversation
    .slice(summary?.messageCount ?? 0, messageCount)
    .flatMap(({ content }) =>
      content.flatMap((block) => (isLonger(block, characters) && !Object.hasOwn(files, block.callId) ? [block] : [])),
    );
}

/** A message whose tool results are cut to their beginning and their end; one without a longer result stays the same object. */
export function withShortResults(message: Message, characters: number, files: Shortened["files"] = noFiles): Message {
  if (message.role !== "user" || !message.content.some((block) => isLonger(block, characters))) return message;
  const known = shortened.get(message);
  if (known?.characters === characters && known.files === files) return known.message;
  const content = message.content.map((block) =>
    block.type === "tool-result" && isLonger(block, characters)
      ? { ...block, content: shortText(block.content, characters, files[block.callId] ?? null) }
      : block,
  );
  const short: UserMessage = { role: "user", content };
  shortened.set(message, { characters, files, message: short });
  return short;
}

/** The longest tool result among these messages, in UTF-16 units. */
export function longestResult(messages: readonly Message[]): number {
  const lengths = messages.flatMap((message) =>
    message.content.map((block) => (block.type === "tool-result" ? block.content.length : 0)),
  );
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

/**
 * The beginning and the end of a text, and how much is missing between them.
 * @param characters  UTF-16 units of the text that stay
 * @param path        where the whole of it is; `null`: nowhere
 */
export function shortText(text: string, characters: number, path: string | null = null): string {
  if (text.length <= characters) return text;
  const head = wholeEnd(text, Math.ceil((characters * 2) / 3));
  const tail = wholeStart(text, text.length - Math.floor(characters / 3));
  const missing = tail - head;
  const where =
    path === null
      ? "Ask for this part alone if you need it."
      : `All of it is in ${path}: read it in parts, or search it.`;
  const note = `[… ${missing} characters of this are not shown, so that the conversation fits. ${where} …]`;
  return `${text.slice(0, head)}\n${note}\n${text.slice(tail)}`;
}

function isLonger(block: Message["content"][number], characters: number): block is ResultBlock {
  return block.type === "tool-result" && block.content.length > characters;
}

/** No pair of surrogates is parted. */
function wholeEnd(text: string, end: number): number {
  return isLowSurrogate(text, end) ? end - 1 : end;
}

function wholeStart(text: string, start: number): number {
  return isLowSurrogate(text, start) ? start + 1 : start;
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

type ResultBlock = Extract<Message["content"][number], { readonly type: "tool-result" }>;

interface ShortMessage {
  readonly characters: number;
  readonly files: Shortened["files"];
  readonly message: Message;
}

const noFiles: NonNullable<Shortened["files"]> = {};
const shortened = new WeakMap<Message, ShortMessage>();
