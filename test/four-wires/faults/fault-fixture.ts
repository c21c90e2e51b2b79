import { inTurn, sampled } from "@capstan/testkit";
import type { SessionEvent } from "@capstan/protocol";
import { createProgress } from "@capstan/cli";
import { expect } from "vitest";
import { type FaultRow, faultRows, type FaultVendor } from "../../../scripts/reference/provider-fault-rows.ts";
import type { Place } from "../../end-to-end/stage/place.ts";
import { allAt, answersIn, type Talk, talk, vendors } from "../talk.ts";
import { type FaultyVendor, startFaultyVendor, type Strike } from "./faulty-vendor.ts";
import { answerText, goodAnswer } from "./good-answer.ts";
import { strikeOf, requestedWaitMs } from "./strikes.ts";

/** A row of the table on one wire. */
export interface FaultCase extends FaultRow {
  readonly vendor: FaultVendor;
}

/** Of a heading, in the fast tier. */
const leastRows = 4;

/** The rows of some headings, on the wires where they happen. */
export function casesOf(...headings: readonly string[]): readonly FaultCase[] {
  return headings
    .flatMap((heading) => rowsOf(heading))
    .flatMap((row) => inTurn(row.on ?? vendors, row.id).map((vendor) => ({ ...row, vendor })));
}

/** In the fast tier some, spread over the heading: what a reader makes of each is tried in the provider's own tests. */
function rowsOf(heading: string): readonly FaultRow[] {
  const rows = faultRows[heading] ?? [];
  return sampled(rows, Math.max(leastRows, Math.ceil(rows.length / 5)));
}

/** A vendor that fails as a row says, and a session that asks it. */
export interface FaultFixture {
  readonly server: FaultyVendor;
  readonly talk: Talk;
  /** The next requests, so many, meet the fault. */
  fail(times: number): Promise<void>;
  /** One turn to its end. */
  say(words: string): Promise<readonly SessionEvent[]>;
  /** The same session in another host, as patient as usual. */
  resume(): Promise<Talk>;
}

export async function openFixture(place: Place, { id, vendor }: FaultCase): Promise<FaultFixture> {
  const server = await startFaultyVendor(await goodAnswer(vendor));
  const sets = ["retry.max_attempts=2", ...hastyFor(id)];
  const first = await talk(place, { addresses: allAt(server.url), vendor, sets });
  const strike: Strike | undefined = id === "refused" ? undefined : strikeOf(id, vendor);
  return {
    server,
    talk: first,
    async fail(times) {
      if (strike !== undefined) server.fail(times, strike);
      else if (times > 0) await server.stopListening();
      else await server.listenAgain();
    },
    say: (words) => sayTo(first, server, words),
    async resume() {
      await first.close();
      const target = { type: "resume", id: first.session.id } as const;
      return talk(place, { addresses: allAt(server.url), vendor, target, sets: ["retry.max_attempts=2"] });
    },
  };
}

/** Little patience with what is not going to come. */
function hastyFor(id: string): readonly string[] {
  if (!id.startsWith("stall")) return [];
  return [`network.${id === "stall-midway" ? "idle" : "first_byte"}_timeout_seconds=0.1`];
}

/** One turn to its end. */
async function sayTo(talking: Talk, server: FaultyVendor, words: string): Promise<readonly SessionEvent[]> {
  const watching = { isOver: false };
  const notifyShown = async (): Promise<void> => {
    while (!watching.isOver) {
      await talking.next(({ type }) => type === "text-delta");
      server.notifyShown();
    }
  };
  void notifyShown();
  const events = await talking.receive(words);
  watching.isOver = true;
  return events;
}

/** The text of the last answer in the conversation. */
export async function lastAnswer({ session }: Talk): Promise<string> {
  const last = answersIn((await session.conversation(null, 10)).messages).at(-1);
  return (last?.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** What a turn that fails comes to, and what the next one does. */
export interface FailedTurn {
  readonly ended: unknown;
  readonly retries: readonly unknown[];
  /** As people read them. */
  readonly lines: string;
  readonly requests: number;
  readonly conversation: readonly unknown[];
  readonly next: { readonly ended: unknown; readonly answer: string; readonly sent: string; readonly requests: number };
}

/** Lets a turn fail for good, and the next one meet the fault once more where it is tried again. */
export async function playFailure(place: Place, row: FaultCase): Promise<FailedTurn> {
  const fixture = await openFixture(place, row);
  const { server } = fixture;
  await fixture.fail(Number.POSITIVE_INFINITY);
  const events = await fixture.say("first words");
  const requests = server.bodies.length;
  const { messages: conversation } = await fixture.talk.session.conversation(null, 100);
  await fixture.fail(meetsTwice(row) ? 1 : 0);
  const next = await fixture.resume();
  const ended = (await sayTo(next, server, "second words")).at(-1)?.record;
  const sent = server.bodies.slice(requests);
  return {
    ended: events.at(-1)?.record,
    retries: events.flatMap(({ record }) => (record.type === "step-retrying" ? [record] : [])),
    lines: linesOf(events),
    requests,
    conversation,
    next: { ended, answer: await lastAnswer(next), sent: sent.join("\n"), requests: sent.length },
  };
}

/** Whether the next turn meets the fault once more: not where that would take patience, or a server that is not there. */
function meetsTwice({ id, retried }: FaultCase): boolean {
  return retried !== "no" && id !== "refused" && !id.startsWith("stall");
}

function linesOf(events: readonly SessionEvent[]): string {
  const progress = createProgress();
  return events
    .flatMap((event) => progress(event))
    .map(({ text }) => text)
    .join("\n");
}

/** What the table says a failing row comes to. */
export function expectedFailure(row: FaultCase): object {
  const { id, code, shown, retried, outcome } = row;
  const again = retried !== "no";
  const failure = { code, message: expect.stringContaining(shown), retryable: again || id === "429-too-long" };
  const draft = [{ type: "text", text: "first words" }];
  return {
    ended: { type: "turn-ended", outcome, failure, rolledBack: true, draft },
    retries: again ? [{ failure, ...(retried === "as asked" ? { delayMs: requestedWaitMs } : {}) }] : [],
    lines: expect.stringContaining(shown),
    requests: id === "refused" ? 0 : again ? 2 : 1,
    conversation: [],
    next: {
      ended: { type: "turn-ended", outcome: "done" },
      answer: answerText,
      sent: expect.not.stringContaining("first words"),
      requests: meetsTwice(row) ? 2 : 1,
    },
  };
}
