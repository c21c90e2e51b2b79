import { AppError, isJsonObject, type JsonValue } from "@capstan/protocol";
import type { ConfigDraft } from "../config-draft.ts";
import type { ConfigOrigin } from "../config-origin.ts";
import { checkValue } from "../check-value.ts";
import { noSuchKey } from "../explain-key.ts";
import type { Environment } from "../files/expand-variables.ts";
import { type ConfigSegments, parsePath, pathText } from "../keys/config-path.ts";
import { nodeAt } from "../keys/key-tree.ts";
import { LayerStack } from "../layer-stack.ts";
import { maskValue } from "../mask-secrets.ts";
import { settingFromText } from "../text-settings.ts";
import { fitsUserFile } from "../user-layer.ts";
import { withoutValue, withValue } from "./edit-values.ts";
import { editUserFile } from "./edit-user-file.ts";

/** A change of the user's own file that has been checked and can be written. */
export interface ValueChange {
  /** As it is written: `tui.vim`, or one entry of a table, `keys.steer`. */
  readonly path: string;
  /** The key it is, or is an entry of. */
  readonly key: string;
  /** What the file will say, secrets masked; `null`: nothing. */
  readonly value: JsonValue;
  /** @returns whether the file was changed: what it did not set cannot be unset */
  readonly write: (file: string) => Promise<boolean>;
}

/**
 * A value for a key, checked as if it stood in the user's file.
 * @param text  as in the file, or a bare string
 * @throws AppError `usage.invalid` for what is no key or does not fit
 */
export async function setValue(written: string, text: string, environment: Environment): Promise<ValueChange> {
  const { at, keyAt } = placeIn(written);
  const read = await settingFromText(at, text, origin);
  const draft: ConfigDraft = { stack: new LayerStack(), problems: [], warnings: [], files: [] };
  for (const setting of read.settings) fitsUserFile(draft, setting, environment);
  const problem = read.misplaced[0] ?? draft.problems[0]?.text;
  const [setting] = read.settings;
  if (problem !== undefined || setting === undefined)
    throw new AppError("usage.invalid", (problem ?? `${pathText(at)} cannot be set`).replace(/^user: /, ""), {
      hint: `Nothing was written. \`capstan config explain ${pathText(keyAt)}\` says what it accepts.`,
    });
  const whole = canonical(setting.key, setting.value);
  const value = valueUnder(whole, at.slice(keyAt.length));
  return {
    path: pathText(at),
    key: pathText(keyAt),
    value: valueUnder(maskValue(setting.key, whole), at.slice(keyAt.length)),
    write: (file) => editUserFile(file, (before) => withValue(file, before, at, value)),
  };
}

/** A key as no longer set in the user's file. @throws AppError `usage.invalid` for what is no key */
export function unsetValue(written: string): ValueChange {
  const { at, keyAt } = placeIn(written);
  return {
    path: pathText(at),
    key: pathText(keyAt),
    value: null,
    write: (file) => editUserFile(file, (before) => withoutValue(file, before, at)),
  };
}

const origin: ConfigOrigin = { layer: "user" };

/** The path that was written, and that of the key it is or is an entry of. */
function placeIn(written: string): { readonly at: ConfigSegments; readonly keyAt: ConfigSegments } {
  const at = parsePath(written);
  for (const length of (at ?? []).keys()) {
    const keyAt = (at ?? []).slice(0, length + 1);
    const node = nodeAt(keyAt);
    if (at === undefined || node?.type !== "key") continue;
    if (keyAt.length === at.length || node.key.type.type === "open-table") return { at, keyAt };
  }
  throw noSuchKey(written, at);
}

/** Other words for a choice are written as the choice; everything else stays as it was written. */
function canonical(key: Parameters<typeof checkValue>[0], value: unknown): JsonValue {
  const checked = checkValue(key, value);
  if (key.type.type === "choice" && checked.type === "fits") return checked.value;
  return asJson(value);
}

/** Values that were checked are plain, but for dates and the parser's own prototypes. */
function asJson(value: unknown): JsonValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(asJson);
  if (!isJsonObject(value) || value instanceof Date) return null;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asJson(item)]));
}

function valueUnder(value: JsonValue, [name, ...rest]: ConfigSegments): JsonValue {
  if (name === undefined || !isJsonObject(value)) return value;
  return valueUnder(value[name] ?? null, rest);
}
