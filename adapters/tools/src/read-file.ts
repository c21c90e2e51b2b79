import type { ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import { type Action, type ActionDraft, AppError, type JsonObject, ToolRefusal } from "@capstan/protocol";
import { pathUse, resolveActionPath, summaryLine } from "./files/action-path.ts";
import { plural } from "./files/plural.ts";
import { prepareListing } from "./directory/list-directory.ts";
import { failedResult } from "./files/failed-result.ts";
import { maxHashBytes, maxMediaBytes, maxReadNoteBytes } from "./files/limits.ts";
import { outputRoom } from "./output-room.ts";
import { lineEndNote, numberLines } from "./files/numbered-lines.ts";
import { type FileHead, readHead } from "./files/read-head.ts";
import { mediaResult, mediaTypeOf } from "./files/readable-media.ts";
import {
  decodeText,
  guessBinaryKind,
  splitLines,
  type TextContent,
  withoutCutCharacter,
} from "./files/text-content.ts";
import { withinTime } from "./files/within-time.ts";
import type { ToolsOptions } from "./options.ts";
import { quotedPath } from "./paths/path-syntax.ts";
import { readAtMost, withPinnedFile } from "./paths/pinned-file.ts";
import type { ResolvedPath, WorkspacePaths } from "./paths/workspace-paths.ts";
import type { ToolCode } from "./tool-entry.ts";

/** Reads a text file, whole or a range of lines, and records which content the model has seen. */
export function createReadFileTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  return {
    prepare: async (args, context) => await prepareRead(paths, args, context),
    run: async (action, _staged, context) => await runRead(options, paths, action, context),
  };
}

interface ReadRequest {
  readonly path: string;
  readonly first: number | undefined;
  readonly last: number | undefined;
}

async function prepareRead(paths: WorkspacePaths, args: JsonObject, context: ToolContext): Promise<ActionDraft> {
  const { path, first, last } = readRequest(args);
  if (first !== undefined && last !== undefined && first > last) {
    const text = `start_line ${first} is after end_line ${last}. Give the smaller number as start_line.`;
    throw new ToolRefusal("rejected", "tool.bad-arguments", text);
  }
  const resolved = await paths.resolve(context.workspace, path, "read", context);
  if (resolved.kind === "directory") {
    // A directory is read by listing it; two levels are what editors of other agents show.
    return await prepareListing({ path, depth: 2 }, context, paths);
  }
  const range = first === undefined && last === undefined ? "" : `, lines ${first ?? 1}-${last ?? "end"}`;
  return {
    tool: "read_file",
    arguments: args,
    effect: "read",
    risk: "low",
    paths: [pathUse(resolved)],
    summary: summaryLine("Read", resolved, path, range),
  };
}

async function runRead(
  options: ToolsOptions,
  paths: WorkspacePaths,
  action: Action,
  context: ToolRunContext,
): Promise<ToolResult> {
  const request = readRequest(action.arguments);
  try {
    return await withinTime(options.timeouts.fileMs, context.signal, async (signal) => {
      const resolved = await resolveActionPath(paths, context, action, request.path);
      const read = await readResolved(options, resolved, isRange(request), signal);
      return read.media ?? present(options, { request, resolved, ...read });
    });
  } catch (error) {
    return failedResult(error);
  }
}

async function readResolved(
  { limits }: ToolsOptions,
  resolved: ResolvedPath,
  range: boolean,
  signal: AbortSignal,
): Promise<{ readonly head: FileHead; readonly size: number; readonly media?: ToolResult | undefined }> {
  return await withPinnedFile(resolved, async (file, stats) => {
    const bytes = range
      ? { headBytes: limits.scanBytes, hashBytes: Math.max(maxHashBytes, limits.scanBytes) }
      : { headBytes: limits.readBytes, hashBytes: limits.readBytes };
    // Beyond the limit the hash is not wanted, so nothing needs to be read for it.
    const hashBytes = stats.size > BigInt(bytes.hashBytes) ? 0 : bytes.hashBytes;
    const head = await readHead(file, { ...bytes, hashBytes }, signal);
    const isMedia = !range && mediaTypeOf(head.head) !== undefined;
    const media = isMedia ? mediaResult(await readAtMost(file, maxMediaBytes + 1), resolved.shown) : undefined;
    return { head, size: Number(stats.size), media };
  });
}

interface Reading {
  readonly request: ReadRequest;
  readonly resolved: ResolvedPath;
  readonly head: FileHead;
  readonly size: number;
}

function present(options: ToolsOptions, reading: Reading): ToolResult {
  const { request, resolved, head, size } = reading;
  const path = quotedPath(resolved.shown);
  const content = decodeText(head.complete ? head.head : wholeLines(head.head));
  if (content === undefined) {
    const text = `${path} is not UTF-8 text: ${guessBinaryKind(head.head)}, ${plural(size, "byte")}.`;
    return { status: "failed", code: "file.binary", content: text };
  }
  if (!head.complete && !isRange(request)) {
    const text = `${path} has ${size} bytes; more than ${options.limits.readBytes} are not read at once. Read a part with start_line and end_line.`;
    return { status: "failed", code: "file.too-large", content: text };
  }
  return showLines(options, reading, content);
}

/** Only whole characters can be judged, and only whole lines be counted. */
function wholeLines(head: Buffer): Buffer {
  const end = head.lastIndexOf(0x0a) + 1;
  return end > 0 ? head.subarray(0, end) : withoutCutCharacter(head);
}

function showLines(options: ToolsOptions, reading: Reading, content: TextContent): ToolResult {
  const { request, resolved, head } = reading;
  const observed = head.hash === undefined ? [] : [{ path: resolved.real, sha256: head.hash }];
  const lines = splitLines(content.text);
  const first = request.first ?? 1;
  if (lines.length === 0 && head.complete) {
    return { status: "ok", content: `[${resolved.shown} is empty.]`, observed, details: { totalLines: 0 } };
  }
  if (first > lines.length) return pastTheEnd(options, reading, lines.length);
  const last = Math.min(request.last ?? lines.length, lines.length);
  const shown = numberLines(lines, { first, last }, outputRoom(options.limits.outputBytes, maxReadNoteBytes));
  const notes = readNotes({ reading, content, shown, lineCount: lines.length, last });
  const note = notes.length === 0 ? "" : `\n[${notes.join(" ")}]`;
  return {
    status: "ok",
    content: shown.text + note,
    details: {
      startLine: first,
      endLine: shown.last,
      totalLines: head.complete ? lines.length : null,
      truncated: shown.cutLine || shown.last < last,
    },
    observed,
  };
}

function readNotes(about: {
  readonly reading: Reading;
  readonly content: TextContent;
  readonly shown: { readonly last: number; readonly cutLine: boolean };
  readonly lineCount: number;
  readonly last: number;
}): readonly string[] {
  const { reading, content, shown, lineCount, last } = about;
  const { head, size, request } = reading;
  const total = head.complete ? `of ${lineCount}` : `of a file of ${size} bytes`;
  const notes: string[] = [];
  if (shown.cutLine) notes.push(`Line ${shown.last} is too long and was cut; search finds text in it.`);
  if (shown.last < last) {
    notes.push(`Output cut after line ${shown.last} ${total}. Read on with start_line=${shown.last + 1}.`);
  } else if (shown.last < lineCount && request.last === undefined) {
    notes.push(`${lineCount - shown.last} more lines.`);
  } else if (!head.complete && shown.last === lineCount) {
    notes.push(
      `Only the first ${head.head.length} of ${size} bytes can be read by lines; search finds text in the rest.`,
    );
  }
  const lineEnds = lineEndNote(content.text);
  if (lineEnds !== undefined) notes.push(`The file has ${lineEnds}.`);
  if (head.complete && shown.last === lineCount && !content.text.endsWith("\n"))
    notes.push("No line end at the end of the file.");
  return notes;
}

function pastTheEnd(options: ToolsOptions, { request, resolved, head }: Reading, lineCount: number): ToolResult {
  const path = quotedPath(resolved.shown);
  if (head.complete) {
    const text = `start_line ${request.first ?? 1} is past the end: ${path} has ${plural(lineCount, "line")}.`;
    return { status: "failed", code: "tool.bad-arguments", content: text };
  }
  const text = `Line ${request.first ?? 1} of ${path} lies beyond the first ${options.limits.scanBytes} bytes, which hold ${plural(lineCount, "line")}. Use search to find text there.`;
  return { status: "failed", code: "file.too-large", content: text };
}

function isRange({ first, last }: ReadRequest): boolean {
  return first !== undefined || last !== undefined;
}

function readRequest(args: JsonObject): ReadRequest {
  const { path, start_line: first, end_line: last } = args;
  if (typeof path !== "string") throw new AppError("internal.bug", "read_file was called with unchecked arguments");
  return {
    path,
    first: typeof first === "number" ? first : undefined,
    last: typeof last === "number" ? last : undefined,
  };
}
