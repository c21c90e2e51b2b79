import type { JsonObject, JsonValue } from "@capstan/protocol";
import type { ItemState, OpenItem } from "./arriving-item.ts";
import { objectOf, textOf } from "../shared/json-fields.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom } from "../shared/stream/tool-calls.ts";
import { openItem } from "./open-item.ts";

/** The items of one answer while they arrive, by their place in the output. */
export class OpenOutput {
  private readonly parts: PartBuffer;
  private readonly byPlace: Map<number, OpenItem> = new Map();
  private callCount = 0;

  constructor(parts: PartBuffer) {
    this.parts = parts;
  }

  /** False once there is no room for more items. */
  get hasRoom(): boolean {
    return hasRoom(this.byPlace.size);
  }

  /** Takes an item that an event brings. */
  takeItem(event: JsonObject, item: JsonObject, state: ItemState): void {
    const given = this.placeOf(event, textOf(item["id"])) ?? this.nextPlace();
    const place = state === "whole" && !this.byPlace.has(given) ? (this.placeOfItem(item) ?? given) : given;
    const known = this.byPlace.get(place);
    if (known !== undefined && known.type === item["type"]) known.take(item, state);
    else this.open(place, item).take(item, state);
  }

  /** Gives an event to its item, which is opened if the server forgot to; false: nobody knows it. */
  apply(name: string, event: JsonObject): boolean {
    const given = this.placeOf(event, textOf(event["item_id"]));
    const type = given !== undefined && this.byPlace.has(given) ? undefined : typeOfEvent(name);
    const place = given ?? this.lastPlace(type);
    const known = place === undefined ? undefined : this.byPlace.get(place);
    if (known !== undefined) return known.apply(name, event);
    if (type === undefined) return false;
    return this.open(place ?? this.nextPlace(), { type, id: event["item_id"] ?? "" }).apply(name, event);
  }

  /** The items in order, each brought to its end. `output`: all of them once more, which is the truth unless it is empty. */
  finish(output: readonly JsonValue[]): readonly OpenItem[] {
    const items = output.map(objectOf).filter((item) => item !== undefined);
    const finished = items.length === 0 ? this.inOrder() : this.settled(items);
    for (const item of finished) item.end();
    return finished;
  }

  private settled(items: readonly JsonObject[]): readonly OpenItem[] {
    const left = new Set(this.inOrder());
    return items.map((item, place) => {
      const known = findItem(left, item, this.byPlace.get(place)) ?? this.open(this.nextPlace(), item);
      left.delete(known);
      known.take(item, "whole");
      return known;
    });
  }

  private inOrder(): readonly OpenItem[] {
    return [...this.byPlace.entries()].toSorted(([a], [b]) => a - b).map(([, item]) => item);
  }

  private open(place: number, item: JsonObject): OpenItem {
    const opened = openItem(item, this.callCount, this.parts);
    if (opened.call !== undefined) this.callCount += 1;
    this.byPlace.set(place, opened);
    return opened;
  }

  /** Places are the vendor's `output_index`; where a server leaves it out, the item's id says it. */
  private placeOf(event: JsonObject, id: string): number | undefined {
    const index = event["output_index"];
    if (typeof index === "number" && Number.isInteger(index) && index >= 0) return index;
    if (id === "") return undefined;
    return [...this.byPlace.entries()].find(([, item]) => item.id === id)?.[0];
  }

  /** Where an item stands whose pieces came under another place than the whole of it. */
  private placeOfItem({ id, type }: JsonObject): number | undefined {
    if (textOf(id) === "") return undefined;
    return [...this.byPlace.entries()].find(([, open]) => open.id === id && open.type === type)?.[0];
  }

  private lastPlace(type: string | undefined): number | undefined {
    return [...this.byPlace.entries()].findLast(([, item]) => item.type === type)?.[0];
  }

  private nextPlace(): number {
    return Math.max(-1, ...this.byPlace.keys()) + 1;
  }
}

/** Proxies rewrite ids and leave items out, so place, id and type are all asked. */
function findItem(left: ReadonlySet<OpenItem>, item: JsonObject, atPlace: OpenItem | undefined): OpenItem | undefined {
  const type = textOf(item["type"]);
  const id = textOf(item["id"]);
  const alike = [...left].filter((open) => open.type === type);
  const byId = id === "" ? undefined : alike.find((open) => open.id === id);
  return byId ?? alike.find((open) => open === atPlace) ?? alike[0];
}

/** The kind of item an event can only belong to. */
function typeOfEvent(name: string): string | undefined {
  if (/^(output_text|refusal)\./.test(name)) return "message";
  if (name.startsWith("reasoning_")) return "reasoning";
  if (name.startsWith("function_call_arguments.")) return "function_call";
  return name.startsWith("custom_tool_call_input.") ? "custom_tool_call" : undefined;
}
