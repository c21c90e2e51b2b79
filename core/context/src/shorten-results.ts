import type { Message, UserMessage } from "@capstan/protocol";

/** To how many UTF-16 units the tool results of the first messages are cut. */
export interface Shortened {
  readonly messageCount: number;
  readonly characters: number;
}

/** A message whose tool results are cut to their beginning and their end; one without a longer result stays the same object. */
export function withShortResults(message: Message, characters: number): Message {
  if (message.role !== "user" || !message.content.some((block) => isLonger(block, characters))) return message;
  const known = shortened.get(message);
  if (known?.characters === characters) return known.message;
  const content = message.content.map((block) =>
    block.type === "tool-result" && isLonger(block, characters)
      ? { ...block, content: shortText(block.content, characters) }
      : block,
  );
  const short: UserMessage = { role: "user", content };
  shortened.set(message, { characters, message: short });
  return short;
}

/** The longest tool result among these messages, in UTF-16 units. */
export function longestResult(messages: readonly Message[]): number {
  const lengths = messages.flatMap((message) =>
    message.content.map((block) => (block.type === "tool-result" ? block.content.length : 0)),
  );
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

/** The beginning and the end of a text, and how much is missing between them. @param characters  UTF-16 units of the text that stay */
export function shortText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const head = wholeEnd(text, Math.ceil((characters * 2) / 3));
  const tail = wholeStart(text, text.length - Math.floor(characters / 3));
  const missing = tail - head;
  const note = `[… ${missing} characters of this are not shown, so that the conversation fits. Ask for this part alone if you need it. …]`;
  return `${text.slice(0, head)}\n${note}\n${text.slice(tail)}`;
}

function isLonger(block: UserMessage["content"][number], characters: number): boolean {
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

const shortened = new WeakMap<Message, { readonly characters: number; readonly message: Message }>();
