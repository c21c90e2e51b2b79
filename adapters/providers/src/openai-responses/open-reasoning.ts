import type { AssistantBlock, JsonObject, JsonValue } from "@capstan/protocol";
import type { ItemState, OpenItem } from "./arriving-item.ts";
import { limits } from "../limits.ts";
import { isTooDeep, listOf, objectOf, textOf } from "../shared/json-fields.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom } from "../shared/stream/tool-calls.ts";
import { wellFormedObject } from "../shared/well-formed.ts";
import { SettlingText } from "./settling-text.ts";

const sectionBreak = "\n\n";

/** Thinking: a summary in sections or, where a server shows it, the thinking itself. The item is kept raw: it goes back as it came. */
export function openReasoning(start: JsonObject, parts: PartBuffer): OpenItem {
  const thinking = new ThinkingText(parts);
  let raw: JsonObject | undefined;
  let isWhole = false;
  return {
    type: "reasoning",
    id: textOf(start["id"]),
    apply: (name, event) => applyTo(thinking, name, event),
    take: (item, state) => {
      const sealed = isWhole ? raw?.["encrypted_content"] : undefined;
      // Some proxies leave the vendor's proof out when they say everything once more.
      raw =
        typeof sealed === "string" && item["encrypted_content"] == null ? { ...item, encrypted_content: sealed } : item;
      isWhole ||= state === "whole";
      thinking.takeAll("summary", textsOf(item["summary"]), state);
      thinking.takeAll("content", textsOf(item["content"]), state);
    },
    end: () => {
      thinking.end();
      if (raw === undefined || !isTooDeep(raw)) return;
      parts.unknown("reasoning", raw, JSON.stringify(raw));
      raw = undefined;
    },
    toBlocks: (): readonly AssistantBlock[] => {
      const { text } = thinking;
      return [
        ...(text === "" ? [] : [{ type: "thinking", text } as const]),
        ...(raw === undefined ? [] : [{ type: "provider-item", item: wellFormedObject(raw) } as const]),
      ];
    },
  };
}

function applyTo(thinking: ThinkingText, name: string, event: JsonObject): boolean {
  const text = textOf(event["text"]);
  const partText = textOf(objectOf(event["part"])?.["text"]);
  switch (name) {
    case "reasoning_summary_text.delta":
      thinking.add("summary", event["summary_index"], textOf(event["delta"]));
      return true;
    case "reasoning_summary_text.done":
      thinking.take("summary", event["summary_index"], { text, state: "whole" });
      return true;
    case "reasoning_summary_part.added":
      thinking.take("summary", event["summary_index"], { text: partText, state: "begun" });
      return true;
    case "reasoning_summary_part.done":
      thinking.take("summary", event["summary_index"], { text: partText, state: "whole" });
      return true;
    case "reasoning_text.delta":
      thinking.add("content", event["content_index"], textOf(event["delta"]));
      return true;
    case "reasoning_text.done":
      thinking.take("content", event["content_index"], { text, state: "whole" });
      return true;
    case "content_part.added":
      thinking.take("content", event["content_index"], { text: partText, state: "begun" });
      return true;
    case "content_part.done":
      thinking.take("content", event["content_index"], { text: partText, state: "whole" });
      return true;
    default:
      return false;
  }
}

type Kind = "summary" | "content";

/** What people see of the thinking: of summary and content, the kind that comes first. */
class ThinkingText {
  private readonly parts: PartBuffer;
  private sections: Map<number, SettlingText> = new Map();
  private kind: Kind | undefined;

  constructor(parts: PartBuffer) {
    this.parts = parts;
  }

  get text(): string {
    return [...this.sections.entries()]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([, section]) => (section.text === "" ? [] : [section.text]))
      .join(sectionBreak);
  }

  add(kind: Kind, index: JsonValue | undefined, piece: string): void {
    if (!this.accepts(kind, piece)) return;
    this.show(this.sectionAt(index), (section) => section.add(piece));
  }

  take(
    kind: Kind,
    index: JsonValue | undefined,
    { text, state }: { readonly text: string; readonly state: ItemState },
  ): void {
    if (!this.accepts(kind, text)) return;
    this.show(this.sectionAt(index), (section) => (state === "begun" ? section.begin(text) : section.settle(text)));
  }

  /** A whole item is the truth, under whatever places its pieces came. */
  takeAll(kind: Kind, texts: readonly string[], state: ItemState): void {
    if (state === "begun") return texts.forEach((text, index) => this.take(kind, index, { text, state }));
    if (!this.accepts(kind, texts.join(""))) return;
    const shown = this.text;
    this.sections = new Map(texts.slice(0, limits.blocks).map((text, place) => [place, settled(text)]));
    const whole = this.text;
    if (whole.startsWith(shown)) this.parts.thinking(whole.slice(shown.length));
  }

  end(): void {
    for (const section of this.sections.values()) this.show(section, () => section.end());
  }

  private accepts(kind: Kind, text: string): boolean {
    if (text === "") return false;
    this.kind ??= kind;
    return this.kind === kind;
  }

  private sectionAt(index: JsonValue | undefined): SettlingText {
    const place = typeof index === "number" && hasRoom(this.sections.size) ? index : 0;
    const section = this.sections.get(place) ?? new SettlingText();
    this.sections.set(place, section);
    return section;
  }

  private show(section: SettlingText, take: (section: SettlingText) => string): void {
    const opensAnother = section.text === "" && [...this.sections.values()].some((other) => other.text !== "");
    const delta = take(section);
    if (delta !== "") this.parts.thinking(opensAnother ? sectionBreak + delta : delta);
  }
}

function settled(text: string): SettlingText {
  const section = new SettlingText();
  section.settle(text);
  return section;
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return listOf(value).map((part) => textOf(objectOf(part)?.["text"]));
}
