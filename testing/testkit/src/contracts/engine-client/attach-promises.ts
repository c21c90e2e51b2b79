import { type EngineClient, type Frame, type SessionClient, type SessionEvent, type TurnId } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isSlowTier } from "../../tier.ts";
import {
  begin,
  ended,
  endsTurn,
  eventsOf,
  framesUntil,
  join,
  keptOf,
  type MakeEngine,
  nextOf,
  say,
  using,
} from "./under-test.ts";

/** Pieces of the long answers: more than a client gets unasked. */
const pieces = 300;

/** A client that attaches when another one has seen so many records, and asks for what comes after a number. */
interface Joiner {
  readonly seen: number;
  readonly after: number;
}

const joiners: fc.Arbitrary<readonly Joiner[]> = fc.array(fc.record({ seen: fc.nat(pieces), after: fc.nat(pieces) }), {
  minLength: 1,
  maxLength: 6,
});

export function attachPromises(make: MakeEngine): void {
  test("attaching gives the snapshot, what came since, then what comes, without gap or repeat", async () => {
    await fc.assert(
      fc.asyncProperty(joiners, (all) =>
        using(make, async (under) => checkJoiners(await under.connect(), () => under.connect(), all)),
      ),
      { numRuns: isSlowTier ? 8 : 3 },
    );
  });

  test("a client that stops reading misses nothing, and gets no piece that is superseded by then twice", async () => {
    await using(make, async ({ connect }) => {
      const [engine, slow] = [await connect(), await connect()];
      const session = await begin(engine);
      const frames = (await join(slow, session.id)).attach(0)[Symbol.asyncIterator]();
      const first = [await nextOf(frames), await nextOf(frames)];
      const { turnId } = await say(engine, session, `count ${pieces}`);
      await ended(session, turnId);
      const late: Frame[] = [...first];
      while (!endsTurn(late.at(-1) ?? { type: "closed", reason: "nothing came" }, turnId))
        late.push(await nextOf(frames));
      await frames.return?.();
      checkComplete(late, await engine.sessions.read(session.id, 0), 0);
    });
  });

  test("`live` comes once the client has everything, and says up to where", async () => {
    await using(make, async ({ connect }) => {
      const engine = await connect();
      const session = await begin(engine);
      const { turnId } = await say(engine, session, "hello");
      const last = await ended(session, turnId);
      const frames = await framesUntil(session, 0, ({ type }) => type === "live");
      expect(frames.at(-1)).toEqual({ type: "live", seq: eventsOf(frames).at(-1)?.seq });
      expect(eventsOf(frames).at(-1)?.seq).toBeGreaterThanOrEqual(last?.seq ?? Number.NaN);
      expect(await framesUntil(session, last?.seq ?? 0, ({ type }) => type === "live")).toHaveLength(2);
    });
  });
}

async function checkJoiners(
  engine: EngineClient,
  connect: () => Promise<EngineClient>,
  all: readonly Joiner[],
): Promise<void> {
  const session = await begin(engine);
  const { turnId } = await say(engine, session, `count ${pieces}`);
  const views: Promise<{ readonly frames: readonly Frame[]; readonly after: number }>[] = [];
  let seen = 0;
  const startDue = (isLast: boolean): void => {
    for (const joiner of all.filter((each) => (isLast ? each.seen >= seen : each.seen === seen)))
      views.push(joined(connect, session, turnId, joiner.after));
    seen += 1;
  };
  for await (const frame of session.attach(0)) {
    startDue(endsTurn(frame, turnId));
    if (endsTurn(frame, turnId)) break;
  }
  expect(views).toHaveLength(all.length);
  const journal = await engine.sessions.read(session.id, 0);
  for (const { frames, after } of await Promise.all(views)) checkComplete(frames, journal, after);
}

async function joined(
  connect: () => Promise<EngineClient>,
  { id }: SessionClient,
  turnId: TurnId,
  after: number,
): Promise<{ readonly frames: readonly Frame[]; readonly after: number }> {
  const session = await join(await connect(), id);
  // A number that the journal has not reached yet would leave out the turn's end.
  const from = Math.min(after, (await session.snapshot()).seq - 1);
  return { frames: await framesUntil(session, from, (frame) => endsTurn(frame, turnId)), after: from };
}

/** A client that asked for everything after a number has it: the snapshot first, numbers that rise, all that is kept. */
function checkComplete(frames: readonly Frame[], journal: readonly SessionEvent[], after: number): void {
  expect(frames[0]?.type).toBe("snapshot");
  expect(frames.filter(({ type }) => type === "snapshot")).toHaveLength(1);
  const events = eventsOf(frames);
  expect(events.filter(({ seq }, at) => seq <= (events[at - 1]?.seq ?? after))).toEqual([]);
  const end = events.at(-1)?.seq ?? 0;
  expect(keptOf(events)).toEqual(keptOf(journal).filter(({ seq }) => seq > after && seq <= end));
}
