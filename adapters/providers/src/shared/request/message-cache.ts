import type { JsonValue, Message } from "@capstan/protocol";

/** The JSON of messages that were sent before: a conversation only grows, so each is turned into JSON once. */
export class MessageCache {
  private readonly known: WeakMap<Message, { readonly variant: string; readonly json: string }> = new WeakMap();

  /**
   * @param variant  whatever else than the message the mapping depends on
   * @param map  the wire's messages for this one
   * @returns their JSON, separated by commas
   */
  json(message: Message, variant: string, map: () => readonly JsonValue[]): string {
    const kept = this.known.get(message);
    if (kept?.variant === variant) return kept.json;
    const json = joinJson(map());
    this.known.set(message, { variant, json });
    return json;
  }
}

/** The JSON of a list's items, separated by commas. */
export function joinJson(values: readonly JsonValue[]): string {
  return values.map((value) => JSON.stringify(value)).join(",");
}
