import {
  exitCodes,
  type Interaction,
  type Isolation,
  type PermissionMode,
  type SessionPlace,
  type SessionEvent,
  type SessionId,
  type SessionOwner,
  type ToolStrategy,
} from "@capstan/protocol";
import { inertText, jsonLine } from "@capstan/view";
import type { BehindNews, OpenedSession, TurnReport, TurnView } from "./turn/turn-request.ts";
import type { RunResult } from "./turn/run-result.ts";
import { asksAgainText } from "./turn/answer-form.ts";
import { behindLines, joinedLines, ownerText } from "./owner-text.ts";
import { waitingLines } from "./asking/waiting-lines.ts";
import type { Streams } from "./output.ts";

/** One result object on stdout, and nothing else. */
export function createJsonView(streams: Streams): TurnView {
  return {
    opened: (opened) => tellJoined(streams, opened),
    event: nothing,
    owner: (owner) => showOwner(streams, owner),
    asksAgain: (problem) => streams.progress.write(`${inertText(asksAgainText(problem))}\n`),
    waiting: (interaction) => showWaiting(streams, interaction),
    finished: (report) => streams.result.write(`${jsonLine(resultObject(report))}\n`),
    behind: (news) => showBehind(streams, news),
  };
}

/** A line per event with its sequence number, `init` first, `result` last. */
export function createStreamJsonView(streams: Streams, version: string): TurnView {
  const write = (value: object): void => streams.result.write(`${jsonLine(value)}\n`);
  return {
    opened(opened) {
      tellJoined(streams, opened);
      write(initObject(opened, version));
    },
    event({ seq, at, record }: SessionEvent) {
      write({ ...record, seq, at });
    },
    owner: (owner) => showOwner(streams, owner),
    asksAgain: (problem) => streams.progress.write(`${inertText(asksAgainText(problem))}\n`),
    waiting: (interaction) => showWaiting(streams, interaction),
    finished: (report) => write(resultObject(report)),
    behind: (news) => showBehind(streams, news),
  };
}

/** The last line of every run: what scripts read. */
export interface ResultLine extends RunResult {
  readonly type: "result";
  readonly sessionId: string;
  /** The exit code of the process. */
  readonly exitCode: number;
  readonly durationMs: number;
}

/** The first line of `stream-json`. */
export interface InitLine {
  readonly type: "init";
  /** The number of the last record before the run. */
  readonly seq: number;
  readonly sessionId: SessionId;
  /** Of Capstan. */
  readonly version: string;
  readonly cwd: string;
  /** The directories that the session may touch. */
  readonly roots: readonly string[];
  /** The session had turns before. */
  readonly resumed: boolean;
  /** The root of the repository, or the working directory; absent where whoever opened the session did not say, as are the next three. */
  readonly projectRoot?: string;
  readonly trusted?: boolean;
  readonly policyFiles?: SessionPlace["policyFiles"];
  /** Why something of the workspace was not loaded. */
  readonly warnings?: readonly string[];
  readonly provider: string;
  /** As `provider/id`. */
  readonly model: string;
  /** Tokens of the longest answer. */
  readonly maxOutputTokens: number;
  /** As whose agent the session works; absent: it is a user's. */
  readonly agent?: string;
  /** How full the model's window is: as the vendor last counted, `null` where it has not. */
  readonly context: { readonly usedTokens: number | null; readonly windowTokens: number; readonly summaries: number };
  readonly permissionMode: PermissionMode;
  /** How far commands are kept apart from the machine. */
  readonly isolation: Isolation;
  readonly strategy: ToolStrategy;
  /** Names of the tools that there are. */
  readonly tools: readonly string[];
}

function resultObject({ result, sessionId, durationMs }: TurnReport): ResultLine {
  return { type: "result", sessionId, exitCode: exitCodes[result.outcome], durationMs, ...result };
}

function initObject({ snapshot }: OpenedSession, version: string): InitLine {
  const { sessionId, seq, config, workspace, resumed, context, summaries } = snapshot;
  const { model, mode, strategy, tools, sandbox, place, agent } = config;
  return {
    type: "init",
    seq,
    sessionId,
    version,
    cwd: workspace.cwd,
    roots: workspace.roots,
    resumed,
    ...place,
    provider: model.provider,
    model: `${model.provider}/${model.id}`,
    maxOutputTokens: model.maxOutputTokens,
    ...(agent === undefined ? {} : { agent: agent.name }),
    context: {
      usedTokens: context?.tokens ?? null,
      windowTokens: context?.windowTokens ?? model.contextWindowTokens,
      summaries,
    },
    permissionMode: mode,
    isolation: sandbox.isolation,
    strategy,
    tools: tools.map((tool) => tool.name),
  };
}

/** Scripts read it in the events; a user looks at stderr. */
function showWaiting({ progress }: Streams, interaction: Interaction): void {
  for (const text of waitingLines(interaction)) progress.write(`${text}\n`);
}

function tellJoined({ progress }: Streams, opened: OpenedSession): void {
  for (const text of joinedLines(opened)) progress.write(`${inertText(text)}\n`);
}

function showOwner({ progress }: Streams, owner: SessionOwner): void {
  progress.write(`${inertText(ownerText(owner))}\n`);
}

/** The result is the last line on stdout. */
function showBehind({ progress }: Streams, news: BehindNews): void {
  for (const { text } of behindLines(news)) progress.write(`${inertText(text)}\n`);
}

function nothing(): void {
  // The result at the end says it all.
}
