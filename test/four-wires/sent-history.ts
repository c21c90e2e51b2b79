import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import type { Exchange } from "@capstan/rehearsal";
import type { Vendor } from "./talk.ts";

/** Where each wire keeps the conversation. */
const historyField: Readonly<Record<Vendor, string>> = {
  anthropic: "messages",
  openai: "input",
  "openai-chat": "messages",
  google: "contents",
};

/** The conversation in a request, as the vendor reads it; without marks for its cache, which move on. */
export function historyIn(vendor: Vendor, { body }: Pick<Exchange, "body">): readonly JsonValue[] {
  const history: unknown = body instanceof Object ? Reflect.get(body, historyField[vendor]) : undefined;
  const plain: JsonValue = JSON.parse(
    JSON.stringify(history ?? null, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
  );
  if (!Array.isArray(plain)) throw new Error(`no conversation for ${vendor}`);
  return plain;
}

/** Everything in a conversation that only its own vendor can read: thinking with its proof, in the wire's words. */
export function ownThinkingIn(vendor: Vendor, history: readonly JsonValue[]): readonly JsonObject[] {
  return objectsIn(history).filter((object) => {
    switch (vendor) {
      case "anthropic":
        return object["type"] === "thinking";
      case "openai":
        return object["type"] === "reasoning";
      case "openai-chat":
        return object["reasoning_content"] !== undefined;
      default:
        return object["thoughtSignature"] !== undefined && object["thoughtSignature"] !== foreignSignature;
    }
  });
}

/** What Gemini documents for a call whose signature nobody has. */
const foreignSignature = "skip_thought_signature_validator";

function objectsIn(value: JsonValue | readonly JsonValue[]): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => objectsIn(item));
  if (!isJsonObject(value)) return [];
  return [value, ...Object.values(value).flatMap((item) => objectsIn(item))];
}
