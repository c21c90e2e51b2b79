import type { FetchedPage, MovedPage, PageChunk, PageRequest, ToolResult, WebFailure, WebPages } from "@capstan/ports";
import { type ActionDraft, type JsonObject, ToolRefusal } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { outputRoom } from "../output-room.ts";
import type { ToolCode } from "../tool-entry.ts";
import { carriedData } from "./carried-data.ts";
import { maxChunkTokens, maxShownUrl, minChunkTokens, usualChunkTokens } from "./limits.ts";
import { shownLine, shownText, untrustedHeading } from "./shown-text.ts";

/** `web_fetch`: a page of the public web as Markdown. Its host is asked about unless a rule allows it. */
export function createWebFetchTool(options: ToolsOptions, pages: WebPages): ToolCode {
  const redact = options.redact ?? ((text) => text);
  return {
    prepare: async (args) => await prepare(args, pages, redact),
    run: async ({ arguments: args }, _staged, { signal }) => {
      const answer = await pages.fetch(requestOf(args), signal);
      switch (answer.type) {
        case "page":
          return pageResult(answer, options.limits.outputBytes);
        case "moved":
          return movedResult(answer);
        case "failed":
          return failedResult("web_fetch", answer);
      }
    },
  };
}

async function prepare(args: JsonObject, pages: WebPages, redact: (text: string) => string): Promise<ActionDraft> {
  const request = requestOf(args);
  const address = await pages.read(request.url);
  if (address.type === "failed") {
    const kind = address.code === "ssrf_blocked" || address.code === "port_blocked" ? "denied" : "rejected";
    throw new ToolRefusal(
      kind,
      kind === "denied" ? "web.blocked" : "tool.bad-arguments",
      failureText("web_fetch", address),
    );
  }
  const carries = carriedData(address, redact);
  return {
    tool: "web_fetch",
    arguments: {
      url: address.url,
      max_chunk_tokens: request.maxChunkTokens,
      no_cache: request.noCache,
      force_browser: request.forceBrowser,
    },
    effect: "read",
    risk: "medium",
    paths: [],
    network: { host: address.host, path: address.path, ...(carries === undefined ? {} : { carries }) },
    summary: shownLine(redact(`fetch ${address.url}`), maxShownUrl),
  };
}

function requestOf({
  url,
  max_chunk_tokens: tokens,
  no_cache: noCache,
  force_browser: browser,
}: JsonObject): PageRequest {
  const wanted = typeof tokens === "number" ? Math.floor(tokens) : usualChunkTokens;
  return {
    url: typeof url === "string" ? url.trim() : "",
    maxChunkTokens: Math.min(maxChunkTokens, Math.max(minChunkTokens, wanted)),
    noCache: noCache === true,
    forceBrowser: browser === true,
  };
}

function pageResult(page: FetchedPage, outputBytes: number): ToolResult {
  const shown = page.chunks.map(({ heading, text, tokenCount }) => ({
    heading: shownLine(heading, maxShownUrl),
    text: shownText(text),
    tokenCount,
  }));
  const fitting = fittingChunks(shown, outputRoom(outputBytes, headBytes));
  const isCut = fitting.length < shown.length || fitting[0]?.text !== shown[0]?.text;
  const notes = [...page.notes, ...(isCut ? ["tool_output_limit"] : [])];
  const reason = isCut ? "tool_output_limit" : page.truncationReason;
  const title = page.title === undefined ? [] : [`title: ${shownLine(page.title, maxShownUrl)}`];
  const head = [
    untrustedHeading(shownLine(page.finalUrl, maxShownUrl)),
    ...title,
    ...(notes.length === 0 ? [] : [`notes: ${notes.join(", ")}`]),
    ...(reason === undefined ? [] : [`truncated: ${reason}`]),
  ];
  return {
    status: "ok",
    content: [head.join("\n"), ...withHeadings(fitting)].join("\n\n"),
    details: {
      requested_url: page.requestedUrl,
      final_url: page.finalUrl,
      fetched_at: page.fetchedAt,
      ...(page.title === undefined ? {} : { title: shownLine(page.title, maxShownUrl) }),
      ...(page.language === undefined ? {} : { language: page.language }),
      chunks: fitting.map(({ heading, text, tokenCount }) => ({ heading, text, token_count: tokenCount })),
      rendering_method: page.renderingMethod,
      truncated: reason !== undefined,
      ...(reason === undefined ? {} : { truncation_reason: reason }),
      notes,
    },
  };
}

/** For what stands above a page. */
const headBytes = 4096;

/** Whole chunks, as many as there is room for; of one that is larger than all room, its beginning. */
function fittingChunks(chunks: readonly PageChunk[], roomBytes: number): readonly PageChunk[] {
  const fitting: PageChunk[] = [];
  let left = roomBytes;
  for (const chunk of chunks) {
    left -= Buffer.byteLength(chunk.heading) + Buffer.byteLength(chunk.text) + separatorBytes;
    if (left < 0) break;
    fitting.push(chunk);
  }
  const [first] = chunks;
  if (fitting.length > 0 || first === undefined) return fitting;
  const text = Buffer.from(first.text)
    .subarray(0, roomBytes)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
  return [{ ...first, text }];
}

const separatorBytes = 8;

function withHeadings(chunks: readonly PageChunk[]): readonly string[] {
  let before = "";
  return chunks.map(({ heading, text }) => {
    const isNew = heading !== before;
    before = heading;
    return isNew ? `## ${heading}\n\n${text}` : text;
  });
}

/** Nobody was asked about another host, so that the model asks for it. */
function movedResult({ requestedUrl, to }: MovedPage): ToolResult {
  const shown = shownLine(to, maxShownUrl);
  return {
    status: "ok",
    content: `The page moved to another host. To read it there, call web_fetch with ${shown}`,
    details: { requested_url: requestedUrl, moved_to: shown, chunks: [], notes: [] },
  };
}

export function failedResult(tool: string, failure: WebFailure): ToolResult {
  return {
    status: "failed",
    code: "web.failed",
    content: failureText(tool, failure),
    details: { code: failure.code, message: failure.message, retryable: failure.retryable },
  };
}

function failureText(tool: string, { code, message, retryable }: WebFailure): string {
  return `${tool}: ${code}: ${shownLine(message, maxShownUrl)}.${retryable ? " The same may work later." : ""}`;
}
