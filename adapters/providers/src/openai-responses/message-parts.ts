import type { JsonObject, JsonValue } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { listOf, textOf } from "../shared/json-fields.ts";
import { hasRoom } from "../shared/stream/tool-calls.ts";
import type { ItemState } from "./arriving-item.ts";
import { SettlingText } from "./settling-text.ts";

/** One text of a message while it arrives. */
export interface MessagePart {
  readonly text: SettlingText;
  citations: readonly JsonValue[];
  refused: boolean;
  /** The events that said it as a whole. */
  readonly saidBy: Set<string>;
}

/** The texts of one message by their place in its content. Each method that takes text returns what can be shown of it. */
export class MessageParts {
  private byPlace: Map<number, MessagePart> = new Map();

  inOrder(): readonly MessagePart[] {
    return [...this.byPlace.entries()].toSorted(([a], [b]) => a - b).map(([, part]) => part);
  }

  at(index: JsonValue | undefined): MessagePart {
    const place = typeof index === "number" && hasRoom(this.byPlace.size) ? index : 0;
    const part = this.byPlace.get(place) ?? newPart();
    this.byPlace.set(place, part);
    return part;
  }

  cite(index: JsonValue | undefined, citation: JsonValue): void {
    const part = this.at(index);
    if (hasRoom(part.citations.length)) part.citations = [...part.citations, citation];
  }

  begin(index: JsonValue | undefined, value: JsonObject): string {
    return takeInto(this.at(index), value, "begun");
  }

  /** @param event  what says the whole of it: each event does so once */
  settle(index: JsonValue | undefined, value: JsonObject, event: string): string {
    const part = this.misplaced(index, saidIn(value), event) ?? this.at(index);
    part.saidBy.add(event);
    return takeInto(part, value, "whole");
  }

  /** The whole message is the truth, under whatever places its pieces came. */
  replace(values: readonly JsonObject[]): string {
    const before = this.inOrder();
    const shown = textsOf(before);
    const samePlaces = [...this.byPlace.keys()].every((place) => place < values.length);
    const known = (place: number): MessagePart | undefined => (samePlaces ? this.byPlace.get(place) : before[place]);
    const parts = values.slice(0, limits.blocks).map((value, place) => {
      const part = { ...newPart(), citations: known(place)?.citations ?? [] };
      takeInto(part, value, "whole");
      return part;
    });
    this.byPlace = new Map(parts.entries());
    const whole = textsOf(parts);
    return whole.startsWith(shown) ? whole.slice(shown.length) : "";
  }

  /** Some servers give the pieces of a text another place than the whole of it. */
  private misplaced(index: JsonValue | undefined, text: string, event: string): MessagePart | undefined {
    const there = typeof index === "number" ? this.byPlace.get(index) : undefined;
    if (text === "" || (there !== undefined && there.text.text !== "")) return undefined;
    return this.inOrder().find((part) => !part.saidBy.has(event) && part.text.text === text);
  }
}

/** What a part of a message says. */
export function saidIn(value: JsonObject): string {
  return textOf(value["text"]) || textOf(value["refusal"]);
}

function takeInto(part: MessagePart, value: JsonObject, state: ItemState): string {
  const text = saidIn(value);
  part.refused ||= value["type"] === "refusal";
  const citations = listOf(value["annotations"]);
  if (citations.length > 0) part.citations = citations.slice(0, limits.blocks);
  return state === "begun" ? part.text.begin(text) : part.text.settle(text);
}

function textsOf(parts: readonly MessagePart[]): string {
  return parts.map((part) => part.text.text).join("");
}

function newPart(): MessagePart {
  return { text: new SettlingText(), citations: [], refused: false, saidBy: new Set() };
}
