import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject, Usage } from "@capstan/protocol";
import type { Prompt } from "../cache/prompt.ts";
import type { ScenarioFinish } from "../scenario/scenario.ts";
import type { WireName } from "./wire-name.ts";
import type { WireProblem } from "./wire-problem.ts";

/** The thinking this server sent before a tool call; `undefined`: not one of ours, or there was none. */
export type ThinkingMemory = (callId: string) => string | undefined;

/** What clients have stored on this server, by name; owned by one server. */
export type ResourceStore = Map<string, unknown>;

/** Where a model call arrived. */
export interface RequestPlace {
  /** Path and query. */
  readonly target: string;
  readonly resources: ResourceStore;
  /** Signatures and encrypted parts are another server's, so that nothing can be said about them. */
  readonly foreignSignatures?: boolean;
}

/** A request beside the model calls, such as one that stores something. */
export interface ResourceRequest {
  readonly method: string;
  readonly path: string;
  /** Parsed JSON; `undefined` where there is none. */
  readonly body: unknown;
}

export type ResourceAnswer = { readonly body: Readonly<Record<string, unknown>> } | { readonly problem: WireProblem };

/** An answer in no vendor's terms yet. */
export interface Answer {
  /** Counts answers from 1; ids are made of it. */
  readonly number: number;
  readonly model: string;
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  readonly finish: ScenarioFinish;
  readonly usage: Usage;
  readonly pieceBytes: number;
}

export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  /** JSON as the model would write it, or whatever the scenario says instead. */
  readonly argumentsText: string;
  /** The request offers the tool as one that takes a text as it is: this one. */
  readonly customInput?: string;
}

/** What the server reads from a request. Tolerant: with checks off the body may hold anything. */
export interface RequestFacts {
  readonly streams: boolean;
  readonly wantsUsage: boolean;
  readonly model: string;
  readonly lastUserText: string;
  /** The last batch of results; empty when the last message brings none. */
  readonly toolResults: readonly ReceivedResult[];
  readonly tools: readonly string[];
  /** Those of them that take a text as it is. */
  readonly customTools?: readonly string[];
}

export interface ReceivedResult {
  readonly name: string | undefined;
  /** `undefined`: the wire has no such flag. */
  readonly isError: boolean | undefined;
  readonly content: string;
}

/**
 * One vendor's wire: how it checks, reads, answers and refuses. Pure; the server moves the bytes.
 * To add one: a folder beside this file, and a line in `all-wires.ts`.
 */
export interface Wire {
  readonly name: WireName;
  /** Paths of the model call. */
  readonly paths: readonly string[];
  /** Whether a path (with its query) is a model call although it is none of `paths`: where it names the model. */
  owns?(target: string): boolean;
  readonly callIdPrefix: string;
  readonly requestIdHeader: string;
  /** True when unknown paths and model lists should be answered in this wire's shape. */
  claims(headers: IncomingHttpHeaders): boolean;
  checkHeaders(headers: IncomingHttpHeaders, requireKey: boolean): WireProblem | undefined;
  checkBody(
    body: unknown,
    headers: IncomingHttpHeaders,
    thinkingOf: ThinkingMemory,
    place: RequestPlace,
  ): WireProblem | undefined;
  read(body: unknown, place: RequestPlace): RequestFacts;
  /** What the model reads of a request, for the simulated cache; `undefined`: not known, so nothing is cached. */
  promptOf(body: unknown, request: RequestFacts): Prompt | undefined;
  /** The events of a streamed answer, each whole. */
  renderEvents(answer: Answer, request: RequestFacts): readonly string[];
  renderWhole(answer: Answer): string;
  renderModels(model: string): JsonObject;
  /** Answers a request beside the model calls; `undefined`: it is none of this wire's. */
  serveResource?(request: ResourceRequest, resources: ResourceStore): ResourceAnswer | undefined;
  /** Keeps what a recorded answer says was stored, so that later requests may name it. */
  keepRecorded?(request: ResourceRequest, answer: string, resources: ResourceStore): void;
  /** The problem this vendor reports with a status; `message`: its own words where undefined. */
  problemOf(status: number, message: string | undefined): WireProblem;
  renderProblem(problem: WireProblem, requestId: string): JsonObject;
  /** An error in mid-stream. */
  renderErrorEvent(kind: string | undefined): string;
}
