import type { ThinkingMemory } from "../wire.ts";
import type { Finding } from "../wire-problem.ts";
import { roleOf } from "./content-rules.ts";
import type { GoogleContent, GooglePart } from "./google-request.ts";
import { isOwnSignature } from "./sign-part.ts";

/** What the vendor documents for calls whose signature cannot be known. */
const placeholders: ReadonlySet<string> = new Set([
  "skip_thought_signature_validator",
  "context_engineering_is_the_way_to_go",
]);

export interface SignatureOptions {
  /** Models since Gemini 3 refuse calls of the current turn without a signature. */
  readonly required: boolean;
  readonly thinkingOf: ThinkingMemory;
  /** Another server made them: only that they are there can be checked. */
  readonly foreignSignatures: boolean;
}

/** Signatures are where this server put them, and the first call of each step of the current turn has one. */
export function checkSignatures(contents: readonly GoogleContent[], options: SignatureOptions): Finding | undefined {
  const turn = contents.findLastIndex(
    (content) => roleOf(content) === "user" && content.parts.some((part) => part.functionResponse === undefined),
  );
  for (const [index, content] of contents.entries()) {
    const finding = checkContent(content, index, { ...options, required: options.required && index > turn });
    if (finding !== undefined) return finding;
  }
  return undefined;
}

function checkContent(content: GoogleContent, index: number, options: SignatureOptions): Finding | undefined {
  const first = content.parts.findIndex((part) => part.functionCall !== undefined);
  for (const [at, part] of content.parts.entries()) {
    const message = partProblem(part, at === first, options);
    if (message !== undefined) return { path: ["contents", index, "parts", at], message };
  }
  return undefined;
}

function partProblem(part: GooglePart, first: boolean, options: SignatureOptions): string | undefined {
  const { functionCall: call, thoughtSignature: signature } = part;
  if (signature === undefined) return call !== undefined && first && options.required ? missing(call.name) : undefined;
  if (options.foreignSignatures) return undefined;
  if (call === undefined) {
    const own = part.text !== undefined && isOwnSignature({ type: "text" }, signature);
    return own ? undefined : "Thought signature is not valid: it must come back on the part it came with";
  }
  if (isOwnSignature({ type: "call", name: call.name }, signature)) return undefined;
  if (!placeholders.has(signature)) return "Thought signature is not valid: it must come back on the call it came with";
  const known = call.id !== undefined && options.thinkingOf(call.id) !== undefined;
  return known ? `the call ${call.id} was signed: its own signature must come back, not a placeholder` : undefined;
}

function missing(name: string): string {
  return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`${name}\``;
}
