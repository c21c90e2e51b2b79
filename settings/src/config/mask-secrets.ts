import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import type { CapstanConfig } from "./keys/capstan-config.ts";
import type { ConfigKey } from "./keys/config-key.ts";
import { childOf, type KeyNode, keyTree } from "./keys/key-tree.ts";

/** What stands in a secret's place. */
const secretMask = "***";

/** The configuration as it may be shown. */
export function maskSecrets(values: CapstanConfig): JsonObject {
  return maskTable({ ...values }, keyTree);
}

/** One value as it may be shown. */
export function maskValue(key: ConfigKey, value: JsonValue): JsonValue {
  if (key.secret === undefined || value === null) return value;
  return key.secret === "whole" ? secretMask : maskCredentials(value);
}

function maskTable(table: object, children: ReadonlyMap<string, KeyNode>): JsonObject {
  return Object.fromEntries(
    Object.entries(table).map(([name, value]): readonly [string, JsonValue] => {
      const node = childOf(children, name);
      if (node?.type === "key") return [name, maskValue(node.key, value)];
      return [name, node === undefined ? secretMask : maskTable(value, node.children)];
    }),
  );
}

function maskCredentials(value: JsonValue): JsonValue {
  if (typeof value === "string") return maskAddress(value);
  if (Array.isArray(value)) return value.map(maskCredentials);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, secretName.test(name) ? secretMask : maskCredentials(field)]),
  );
}

const secretName = /key|token|secret|passw|credential|authorization|cookie/i;

/** User and password, and parameters named like secrets. Rather a harmless part too much than half a password. */
function maskAddress(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^?#]*@/i, `$1${secretMask}@`)
    .replace(/([?&#][^=&#]*=)[^&#]*/g, (parameter, name: string) =>
      secretName.test(name) ? `${name}${secretMask}` : parameter,
    );
}
