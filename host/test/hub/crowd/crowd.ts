/** Many clients of one session, half of them over its socket, that attach at random numbers while a long answer and its calls continue. */
import { type SessionClient, type SessionEvent, userText } from "@capstan/protocol";
import { SeededRandom } from "@capstan/testkit";
import { emptyTranscript, itemsOf, reduce, type Transcript } from "@capstan/view";
import type { Host } from "../../../src/index.ts";
import { obedientModel } from "../obedient-model.ts";
import { sharedHome } from "../shared-home.ts";
import { looking, type Speech, speaking } from "./speaking-model.ts";

export interface Crowd extends Speech {
  readonly clients: number;
  readonly seed: number;
}

/** What a crowd saw, and what it was to see. */
export interface Seen {
  /** Everything that a screen draws, of each client that was served. */
  readonly views: readonly unknown[];
  /** The same, as the journal has it. */
  readonly journal: unknown;
  /** Numbers that came again or out of order, of all clients. */
  readonly misplaced: readonly number[];
  readonly finishedCalls: number;
  readonly delays: Delays;
}

/** How long an event took from its append to a client that was level, in ms. */
export interface Delays {
  readonly events: number;
  readonly median: number;
  readonly p99: number;
  readonly most: number;
}

/** A window that all of it fits into: a summary would be another session. */
const place = { sets: [obedientModel, 'models."scripted/model-1".context_window=4000000'] };

const identity = { frontend: "test", role: "operate" } as const;

/** Lets them all attach, and waits for the end. */
export async function gatherCrowd(crowd: Crowd): Promise<Seen> {
  const home = sharedHome();
  const options = { isShared: true, providers: speaking(crowd), tools: [looking] };
  const [host, other] = [await home.open(options, place), await home.open(options, place)];
  try {
    const session = await host.client.open({ type: "new" }, { identity, purpose: "drive" });
    const turnId = host.client.newTurnId();
    await session.submit({ type: "user-input", turnId, content: userText("go") });
    const views = await attachAll(session, [host, other], crowd);
    const ended = await Promise.all(views);
    const journal = await host.client.sessions.read(session.id, 0);
    return {
      // All of the crowd's screens share one thread here: they are drawn when everything has come.
      views: ended.map(({ events }) => shown(events.reduce(reduce, emptyTranscript))),
      journal: shown(journal.reduce(reduce, emptyTranscript)),
      misplaced: ended.flatMap(({ misplaced }) => misplaced),
      finishedCalls: journal.filter(({ record }) => record.type === "tool-finished").length,
      delays: figuresOf(ended.flatMap(({ delays }) => delays)),
    };
  } finally {
    await other.close();
    await host.close();
    home.remove();
  }
}

interface View {
  readonly events: readonly SessionEvent[];
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
  const events = earlier.filter(({ seq }) => seq <= after);
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
    events.push(event);
    if (event.record.type === "turn-ended") break;
  }
  await client.close();
  return { events, delays, misplaced };
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
