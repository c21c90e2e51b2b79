import type { JsonObject, JsonValue } from "@capstan/protocol";

/** Fields some other agent's tool has, and what they mean to ours. */
export interface ArgumentAlias {
  readonly from: readonly string[];
  /** Also looks at fields the schema knows (for values of a foreign type). */
  readonly overrides?: boolean;
  /**
   * @param present  those of `from` that were sent, in the order of `from`
   * @returns the fields that take their place; `undefined`: leave everything as it is, for the schema check to judge
   */
  readonly convert: (args: JsonObject, present: readonly string[]) => JsonObject | undefined;
}

export const path: ArgumentAlias = renamed("path", [
  "file_path",
  "filePath",
  "filepath",
  "file",
  "filename",
  "file_name",
  "target_file",
  "absolute_path",
  "relative_path",
]);
export const directory: ArgumentAlias = renamed("path", [
  "directory",
  "dir",
  "folder",
  "root",
  "base_path",
  "search_path",
  "dir_path",
]);

export function renamed(to: string, from: readonly string[]): ArgumentAlias {
  return {
    from,
    convert: (args, present) => {
      const value = args[present[0] ?? ""];
      // Two names with two values: nobody knows which one was meant.
      const agreed = present.every((name) => JSON.stringify(args[name]) === JSON.stringify(value));
      return value === undefined || !agreed ? undefined : { [to]: value };
    },
  };
}

export function dropped(from: readonly string[]): ArgumentAlias {
  return { from, convert: () => ({}) };
}

/** A whole number, also when it came as text; negative ones are nobody's offset, limit or time. */
export function wholeNumber(value: JsonValue | undefined): number | undefined {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
