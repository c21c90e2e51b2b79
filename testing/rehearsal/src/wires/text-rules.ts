import { limits } from "../limits.ts";
import type { BodyPath, Finding } from "./wire-problem.ts";

// With the `u` flag a whole pair is one character, so only halves match.
const loneSurrogate = /\p{Surrogate}/u;

/** Refuses what no vendor can decode: halves of surrogate pairs in any string or key, and nesting without end. */
export function checkText(body: unknown): Finding | undefined {
  return visit(body, []);
}

function visit(value: unknown, path: BodyPath): Finding | undefined {
  if (typeof value === "string") return loneSurrogate.test(value) ? { path, message: surrogateMessage } : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (path.length >= limits.requestDepth) return { path: path.slice(0, 8), message: "nested too deeply" };
  for (const [key, item] of Object.entries(value)) {
    if (loneSurrogate.test(key)) return { path, message: surrogateMessage };
    const finding = visit(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

const surrogateMessage = "the request body is not valid JSON: a string holds half of a surrogate pair";
