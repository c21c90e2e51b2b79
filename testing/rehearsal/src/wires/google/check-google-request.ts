import { unreachable } from "@capstan/protocol";
import { schemaIssues } from "../../schema-issue.ts";
import { checkText } from "../text-rules.ts";
import type { ThinkingMemory } from "../wire.ts";
import { type BodyPath, type Finding, firstFinding, type WireProblem } from "../wire-problem.ts";
import { checkContents, checkSystem } from "./content-rules.ts";
import type { GoogleContent, GoogleRequest } from "./google-request.ts";
import { checkPairs } from "./pairing-rules.ts";
import { googleRequestSchema } from "./request-schema.ts";
import { checkSignatures } from "./signature-rules.ts";
import { checkThinking, checkTools } from "./tool-rules.ts";

export interface GoogleCheckOptions {
  /** The model in the path; models since Gemini 3 where missing. */
  readonly model?: string;
  /** The thinking that was sent before a call; without it only what the body itself shows is checked. */
  readonly thinkingOf?: ThinkingMemory;
  /** Another server signed the parts. */
  readonly foreignSignatures?: boolean;
  /** The contents of a cached content that lives; `undefined`: there is none of that name. */
  readonly cachedContents?: (name: string) => readonly GoogleContent[] | undefined;
}

/**
 * Checks the body of a generateContent request as the vendor does, and a little more strictly (roles alternate, responses
 * come in the order of their calls).
 * @returns the refusal, or `undefined` for a request the vendor would accept
 */
export function checkGoogleRequest(body: unknown, options: GoogleCheckOptions = {}): WireProblem | undefined {
  const parsed = googleRequestSchema.safeParse(body);
  if (!parsed.success) return badRequest(checkText(body) ?? firstIssue(parsed.error, body));
  const { cachedContent } = parsed.data;
  const cached = cachedContent === undefined ? [] : options.cachedContents?.(cachedContent);
  if (cached === undefined) {
    return { status: 403, type: "PERMISSION_DENIED", message: "CachedContent not found (or permission denied)" };
  }
  const finding = checkMeaning(parsed.data, cached, options);
  return finding === undefined ? undefined : badRequest(finding);
}

/** A finding as the vendor reports it. */
export function badRequest(finding: Finding): WireProblem {
  const path = pathText(finding.path);
  const message = path === "" ? finding.message : `* GenerateContentRequest.${path}: ${finding.message}`;
  return { status: 400, type: "INVALID_ARGUMENT", message, ...(path === "" ? {} : { param: path }) };
}

/** What a schema refused first. */
export function firstIssue(error: Parameters<typeof schemaIssues>[0], body: unknown): Finding {
  const [issue] = schemaIssues(error, body);
  if (issue === undefined) return { path: [], message: "Invalid JSON payload received." };
  switch (issue.type) {
    case "unknown-field":
      return {
        path: issue.path,
        message: `Invalid JSON payload received. Unknown name "${issue.message}": Cannot find field.`,
      };
    case "missing":
      return { path: issue.path, message: "missing field." };
    case "wrong":
      return { path: issue.path, message: issue.message };
    default:
      return unreachable(issue.type);
  }
}

function checkMeaning(
  request: GoogleRequest,
  cached: readonly GoogleContent[],
  options: GoogleCheckOptions,
): Finding | undefined {
  const contents = [...cached, ...request.contents];
  const { thinkingOf = () => undefined, model = "", foreignSignatures = false } = options;
  const required = !/^(gemini-[12]\b|gemma)/.test(model);
  return firstFinding([
    () => checkText(request),
    () => checkCached(request),
    () => checkSystem(request),
    () => checkTools(request.tools),
    () => checkThinking(request),
    () => checkContents(contents),
    () => checkPairs(contents),
    () => checkSignatures(contents, { required, thinkingOf, foreignSignatures }),
  ]);
}

function checkCached(request: GoogleRequest): Finding | undefined {
  const { cachedContent, systemInstruction, tools, toolConfig } = request;
  if (cachedContent === undefined) return undefined;
  if (systemInstruction === undefined && tools === undefined && toolConfig === undefined) return undefined;
  return {
    path: [],
    message:
      "CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.",
  };
}

function pathText(path: BodyPath): string {
  return path
    .map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${String(key)}`))
    .join("");
}
