import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  parseScenario,
  type RecordedExchange,
  type Recorder,
  type RecorderOptions,
  type Rehearsal,
  type RehearsalOptions,
  type Scenario,
  startRecorder,
  startRehearsal,
} from "@capstan/rehearsal";
import { onTestFinished } from "vitest";

/** An endpoint of a vendor, as far as a test needs one. @returns its URL */
export async function startEndpoint(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Answers every request with these server-sent events. */
export function eventStream(events: readonly string[]): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of events) response.write(event);
    response.end();
  };
}

export function newFile(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-recording-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "session.json");
}

/** A recorder, and what it has written so far. */
export interface Recording extends Recorder {
  readonly file: string;
  scenario(): Scenario;
  exchanges(): readonly RecordedExchange[];
}

export async function record(target: string, options: Partial<RecorderOptions> = {}): Promise<Recording> {
  const file = options.file ?? newFile();
  const recorder = await startRecorder({ target, file, redact: (text) => text, ...options });
  onTestFinished(() => recorder.close());
  const scenario = (): Scenario => parseScenario(readFileSync(file, "utf8"), "session.json");
  return { ...recorder, file, scenario, exchanges: () => scenario().exchanges ?? [] };
}

/** Serves a scenario, or what was recorded until now. */
export async function rehearse(
  scenario: Scenario | readonly object[],
  options: Partial<RehearsalOptions> = {},
): Promise<Rehearsal> {
  const file = Array.isArray(scenario) ? JSON.stringify({ name: "house", turns: scenario }) : undefined;
  const parsed = file === undefined ? asScenario(scenario) : parseScenario(file, "house.json");
  const server = await startRehearsal({ scenario: parsed, ...options });
  onTestFinished(() => server.close());
  return server;
}

function asScenario(scenario: Scenario | readonly object[]): Scenario {
  if ("turns" in scenario) return scenario;
  throw new Error("no scenario");
}
