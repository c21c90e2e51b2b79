/** Many clients of one session, half of them over its socket, that attach at random numbers while a long answer and its calls continue. */
import { setImmediate as pause } from "node:timers/promises";
import type { ProgramTool } from "@capstan/ports";
import {
  type AssistantBlock,
  type ModelFinish,
  type ModelRequest,
  type ModelStreamPart,
  noUsage,
  type SessionClient,
  toToolCallId,
  userText,
} from "@capstan/protocol";
import { SeededRandom } from "@capstan/testkit";
import { emptyTranscript, itemsOf, reduce, type Transcript } from "@capstan/view";
import { expect } from "vitest";
import type { ExternalProviders, Host } from "../../src/index.ts";
import { sharedHome } from "./shared-home.ts";

export interface Crowd {
  readonly clients: number;
  /** Of the answer, in two steps. */
  readonly characters: number;
  /** Half of them after each step. */
  readonly calls: number;
  readonly seed: number;
}

/** How long an event took from its append to a client that was level, in ms. */
export interface Delays {
  readonly events: number;
  readonly median: number;
  readonly p99: number;
  readonly most: number;
}

const identity = { frontend: "test", role: "operate" } as const;
const piece = "All work and no play makes Jack a dull boy, said the shining machine. ";
/** Pieces that a vendor sends at once. */
const piecesAtOnce = 8;

/** Lets them all attach, waits for the end, and checks that everybody sees what the journal says. */
export async function checkCrowd(crowd: Crowd): Promise<Delays> {
  const home = sharedHome();
  const options = { isShared: true, providers: speaking(crowd), tools: [looking] };
  const [host, other] = [await home.open(options), await home.open(options)];
  try {
    const session = await host.client.open({ type: "new" }, { identity, purpose: "drive" });
    const turnId = host.client.newTurnId();
    await session.submit({ type: "user-input", turnId, content: userText("go") });
    const views = await attachAll(session, [host, other], crowd);
    const ended = await Promise.all(views);
    const journal = await host.client.sessions.read(session.id, 0);
    const whole = shown(journal.reduce(reduce, emptyTranscript));
    for (const { misplaced, transcript } of ended) {
      expect(misplaced).toEqual([]);
      expect(shown(transcript)).toEqual(whole);
    }
    expect(views).toHaveLength(crowd.clients);
    expect(journal.filter(({ record }) => record.type === "tool-finished")).toHaveLength(crowd.calls);
    return figuresOf(ended.flatMap(({ delays }) => delays));
  } finally {
    await other.close();
    await host.close();
    home.remove();
  }
}

interface View {
  readonly transcript: Transcript;
  readonly delays: readonly number[];
  readonly misplaced: readonly number[];
}

/** Each begins once the first client has seen so many characters of the answer. */
async function attachAll(
  session: SessionClient,
  hosts: readonly [Host, Host],
  { clients, characters, seed }: Crowd,
): Promise<readonly Promise<View>[]> {
  const random = new SeededRandom(seed);
  const begins = Array.from({ length: clients }, () => random.below(characters)).toSorted((one, two) => one - two);
  const views: Promise<View>[] = [];
  let seen = 0;
  const beginDue = (): void => {
    while (views.length < clients && (begins[views.length] ?? 0) <= seen) {
      const host = hosts[views.length % 2] ?? hosts[0];
      views.push(view(host, session, random.fraction()));
    }
  };
  for await (const frame of session.attach(0)) {
    if (frame.type !== "record") continue;
    const { record } = frame.event;
    if (record.type === "text-delta") seen += record.delta.length;
    if (record.type === "turn-ended") break;
    beginDue();
  }
  // Pieces that are joined may leave the last ones to come after the end.
  seen = characters;
  beginDue();
  return views;
}

/** Reads what there is up to some number, as whoever shows a history does, then attaches there and follows to the end of the turn. */
async function view(host: Host, { id }: SessionClient, share: number): Promise<View> {
  const client = await host.client.open({ type: "resume", id }, { identity, purpose: "watch" });
  const after = Math.floor((await client.snapshot()).seq * share);
  const earlier = after === 0 ? [] : await host.client.sessions.read(id, 0);
  let transcript = earlier.filter(({ seq }) => seq <= after).reduce(reduce, emptyTranscript);
  const delays: number[] = [];
  const misplaced: number[] = [];
  let last = after;
  let isLive = false;
  for await (const frame of client.attach(after)) {
    if (frame.type === "live") isLive = true;
    if (frame.type !== "record") continue;
    const { event } = frame;
    if (isLive) delays.push(Date.now() - event.at);
    if (event.seq <= last) misplaced.push(event.seq);
    last = event.seq;
    transcript = reduce(transcript, event);
    if (event.record.type === "turn-ended") break;
  }
  await client.close();
  return { transcript, delays, misplaced };
}

/** Everything that a screen draws, without how it is kept. */
function shown({ cells, turns, ...rest }: Transcript): unknown {
  return { ...rest, cells: [...itemsOf(cells)], turns: [...itemsOf(turns)] };
}

function figuresOf(delays: readonly number[]): Delays {
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { events: sorted.length, median: at(0.5), p99: at(0.99), most: at(1) };
}

const looking: ProgramTool = {
  name: "look_around",
  description: "Looks.",
  inputSchema: { type: "object", properties: { at: { type: "number" } }, required: ["at"] },
  effect: "read",
  execute: async ({ at }) => `there is nothing at ${JSON.stringify(at)}`,
};

/** A model that says the first half and makes half of the calls, then the rest, then that it is done. */
function speaking({ characters, calls }: Crowd): ExternalProviders {
  const create = () => ({
    wire: "speaking",
    stream: (request: ModelRequest, _model: unknown, signal: AbortSignal) =>
      speak(request, signal, { pieces: Math.ceil(characters / 2 / piece.length), calls }),
    close: () => undefined,
  });
  return { scripted: { wire: "speaking", create } };
}

async function* speak(
  { messages }: ModelRequest,
  signal: AbortSignal,
  { pieces, calls }: { readonly pieces: number; readonly calls: number },
): AsyncGenerator<readonly ModelStreamPart[]> {
  const step = messages.filter(({ role }) => role === "assistant").length;
  if (step >= 2) {
    yield [finishOf([{ type: "text", text: "done" }])];
    return;
  }
  for (let said = 0; said < pieces; said += piecesAtOnce) {
    signal.throwIfAborted();
    const count = Math.min(piecesAtOnce, pieces - said);
    yield Array.from({ length: count }, () => ({ type: "text-delta", delta: piece }) as const);
    await pause();
  }
  const from = step === 0 ? 0 : Math.floor(calls / 2);
  const to = step === 0 ? Math.floor(calls / 2) : calls;
  const made = Array.from({ length: to - from }, (_none, at): AssistantBlock => ({
    type: "tool-call",
    callId: toToolCallId(`c${from + at}`),
    name: looking.name,
    arguments: { type: "json", value: { at: from + at } },
  }));
  yield [finishOf([{ type: "text", text: piece.repeat(pieces) }, ...made])];
}

function finishOf(content: readonly AssistantBlock[]): ModelFinish {
  const origin = { provider: "scripted", model: "model-1", wire: "speaking" };
  const reason = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop";
  return { type: "finish", message: { role: "assistant", origin, content }, reason, usage: noUsage };
}
