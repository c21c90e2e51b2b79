import { maxExpandedCharacters, maxVariableDepth } from "../config-limits.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type Expanded =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "missing"; readonly variable: string }
  | { readonly type: "malformed"; readonly reason: string };

/**
 * Puts environment variables into a text: `${NAME}`, or `${NAME:-default}` where the default counts when the variable
 * is unset or empty and may hold variables itself. `$${` is a plain `${`. Values are not expanded again.
 */
export function expandVariables(text: string, environment: Environment): Expanded {
  return text.includes("${") ? expand(text, environment, 0) : { type: "text", text };
}

function expand(text: string, environment: Environment, depth: number): Expanded {
  if (depth > maxVariableDepth)
    return { type: "malformed", reason: `variables nested deeper than ${maxVariableDepth}` };
  let done = "";
  let rest = text;
  for (;;) {
    const start = rest.indexOf("${");
    if (start < 0) break;
    if (rest[start - 1] === "$") {
      done += `${rest.slice(0, start - 1)}\${`;
      rest = rest.slice(start + 2);
      continue;
    }
    const end = closingBrace(rest, start + 2);
    if (end === undefined) return { type: "malformed", reason: "`${` without `}`; write `$${` for a plain `${`" };
    const value = valueOf(rest.slice(start + 2, end), environment, depth);
    if (value.type !== "text") return value;
    done += rest.slice(0, start) + value.text;
    rest = rest.slice(end + 1);
    if (done.length > maxExpandedCharacters) return { type: "malformed", reason: "too long after expansion" };
  }
  return { type: "text", text: done + rest };
}

function valueOf(inner: string, environment: Environment, depth: number): Expanded {
  const match = /^([A-Za-z_]\w*)(?::-([^]*))?$/.exec(inner);
  if (match === null) {
    return { type: "malformed", reason: "expected `${NAME}` or `${NAME:-default}`; write `$${` for a plain `${`" };
  }
  const [, variable = "", fallback] = match;
  const value = Object.hasOwn(environment, variable) ? environment[variable] : undefined;
  if (fallback === undefined)
    return value === undefined ? { type: "missing", variable } : { type: "text", text: value };
  return value === undefined || value === "" ? expand(fallback, environment, depth + 1) : { type: "text", text: value };
}

/** The brace that closes the one before `from`, over nested `${…}`. */
function closingBrace(text: string, from: number): number | undefined {
  let open = 1;
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === "}") open -= 1;
    else if (text[index] === "{" && text[index - 1] === "$") open += 1;
    if (open === 0) return index;
  }
  return undefined;
}
