import type { z } from "zod";

/** One thing a schema refused: where, and what was expected there. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly type: "unknown-field" | "missing" | "wrong";
  /** For `unknown-field` the field's name, else what was expected. */
  readonly message: string;
}

type RawIssue = z.core.$ZodIssue;

/**
 * A schema error as plain issues. Of a union's branches the one that came furthest speaks: it is the one that was meant.
 * @param value  what was checked; distinguishes a missing field from a wrong one
 */
export function schemaIssues(error: z.ZodError, value: unknown): readonly SchemaIssue[] {
  return error.issues.flatMap((issue) => flatten(issue, [], value));
}

function flatten(issue: RawIssue, base: readonly PropertyKey[], value: unknown): readonly SchemaIssue[] {
  const path = [...base, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], type: "unknown-field", message: key }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const branches = issue.errors.map((branch) => branch.flatMap((inner) => flatten(inner, path, value)));
    const furthest = branches.toSorted((a, b) => depth(b) - depth(a))[0] ?? [];
    if (depth(furthest) > path.length) return furthest;
    const expected = branches.flatMap((branch) => branch.map((inner) => inner.message));
    return [{ path, type: kindOf(path, value), message: [...new Set(expected)].join(", or ") }];
  }
  return [{ path, type: kindOf(path, value), message: issue.message }];
}

function depth(issues: readonly SchemaIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function kindOf(path: readonly PropertyKey[], value: unknown): "missing" | "wrong" {
  const found = path.reduce<unknown>((at, key) => (at instanceof Object ? Reflect.get(at, key) : undefined), value);
  return found === undefined ? "missing" : "wrong";
}
