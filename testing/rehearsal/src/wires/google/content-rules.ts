import type { Finding } from "../wire-problem.ts";
import type { GoogleContent, GooglePart, GoogleRequest } from "./google-request.ts";

/** Fields of a part that say what it is; each part has exactly one. */
const kinds: ReadonlySet<string> = new Set([
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
]);

/** Roles begin and end with the user and alternate; each part is one thing, not empty, and where its role may have it. */
export function checkContents(contents: readonly GoogleContent[]): Finding | undefined {
  for (const [index, content] of contents.entries()) {
    const finding = checkRole(content, index) ?? checkParts(content.parts, roleOf(content), ["contents", index]);
    if (finding !== undefined) return finding;
  }
  if (contents.length > 0 && roleOf(contents.at(-1)) === "user") return undefined;
  return { path: ["contents"], message: "Please ensure that the conversation ends with a user role." };
}

/** The role of a content; without one it is the user's. */
export function roleOf(content: GoogleContent | undefined): "user" | "model" {
  return content?.role ?? "user";
}

/** The system instruction is text. */
export function checkSystem({ systemInstruction }: GoogleRequest): Finding | undefined {
  return systemInstruction === undefined
    ? undefined
    : checkParts(systemInstruction.parts, "system", ["systemInstruction"]);
}

function checkRole(content: GoogleContent, index: number): Finding | undefined {
  const expected = index % 2 === 0 ? "user" : "model";
  if (roleOf(content) === expected) return undefined;
  const message =
    index === 0
      ? "Please ensure that the conversation begins with a user role."
      : "Please ensure that roles alternate between user and model.";
  return { path: ["contents", index, "role"], message };
}

function checkParts(
  parts: readonly GooglePart[],
  role: "user" | "model" | "system",
  path: readonly PropertyKey[],
): Finding | undefined {
  for (const [at, part] of parts.entries()) {
    const message = partProblem(part, role);
    if (message !== undefined) return { path: [...path, "parts", at], message };
  }
  return undefined;
}

function partProblem(part: GooglePart, role: "user" | "model" | "system"): string | undefined {
  const [kind, second] = Object.keys(part).filter((key) => kinds.has(key));
  if (kind === undefined)
    return "contents.parts must not be empty: required oneof field 'data' must have one initialized field";
  if (second !== undefined) return `oneof field 'data' is already set. Cannot set '${second}'`;
  const signed = part.thoughtSignature !== undefined;
  if (part.text === "" && !signed) return "contents.parts must not be empty: the text parameter is empty";
  if (role === "model") return kind === "functionResponse" ? "a function response is not the model's" : undefined;
  if (role === "system" && kind !== "text") return "system instruction must be text";
  if (kind === "functionCall") return "Please ensure that function call turns are the model's";
  return signed || part.thought === true ? "thoughts and their signatures are the model's" : undefined;
}
