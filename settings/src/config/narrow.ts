import { isJsonObject, type JsonValue } from "@capstan/protocol";
import type { ConfigKey } from "./keys/config-key.ts";

/** What remains of a project's request: a value that can only restrict, and what was left out and why. */
export type Narrowed =
  | { readonly type: "applies"; readonly value: JsonValue; readonly ignored?: string }
  | { readonly type: "ignored"; readonly reason: string };

/**
 * Lets a project's value through as far as it lowers authority.
 * @param key  one that a project may narrow
 * @param value  already checked
 * @param current  the value of the layers below; `null`: no limit
 */
export function narrow(key: ConfigKey, value: JsonValue, current: JsonValue): Narrowed {
  if (key.type.type === "rule-list") return restrictingRules(value);
  if (key.joins === true) return { type: "applies", value };
  if (typeof value === "number" && (current === null || (typeof current === "number" && value <= current))) {
    return { type: "applies", value };
  }
  return { type: "ignored", reason: `a project file may only lower it, and it is ${JSON.stringify(current)}` };
}

function restrictingRules(value: JsonValue): Narrowed {
  const rules = Array.isArray(value) ? value : [];
  const kept = rules.filter((rule) => isJsonObject(rule) && rule["verdict"] !== "allow");
  const reason = "a project file may only ask and deny";
  if (kept.length === 0) return { type: "ignored", reason };
  if (kept.length === rules.length) return { type: "applies", value };
  return { type: "applies", value: kept, ignored: `${rules.length - kept.length} with verdict allow: ${reason}` };
}
