/** Two frontends of one session, one here and one over lines, that do something at the same millisecond. */
import type { EngineClient, Interaction, InteractionAnswer, SessionClient } from "@capstan/protocol";
import { userText } from "@capstan/protocol";
import { expect } from "vitest";
import { Followed } from "./followed.ts";
import { type MemoryHub, memoryHub } from "./memory-hub.ts";

/** A session is left for another one before it has grown so long that its length is what takes the time. */
const racesPerSession = 25;

/** Races so many pairs of answers. */
export async function checkRaces(count: number): Promise<void> {
  const hub = memoryHub();
  const remote = await hub.remote();
  for (let done = 0; done < count; done += racesPerSession)
    await raceInSession(hub, remote, { from: done, to: Math.min(count, done + racesPerSession) });
  await remote.close();
  await hub.close();
}

async function raceInSession(
  hub: MemoryHub,
  remote: EngineClient,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const own = await hub.local.open({ type: "new" }, { identity: identityOf("ada"), purpose: "drive" });
  const theirs = await remote.open({ type: "resume", id: own.id }, { identity: identityOf("grace"), purpose: "drive" });
  const views = [new Followed(own), new Followed(theirs)] as const;
  for (let at = from; at < to; at += 1) {
    // The door counts submissions by the second.
    hub.clock.advance(1000);
    await race(hub.local, [own, theirs], views, at);
  }
  for (const view of views) await view.close();
}

function identityOf(user: string) {
  return { frontend: `${user}s-frontend`, user, role: "operate" } as const;
}

async function race(
  engine: EngineClient,
  clients: readonly [SessionClient, SessionClient],
  views: readonly [Followed, Followed],
  at: number,
): Promise<void> {
  const [own] = clients;
  const turnId = engine.newTurnId();
  await own.submit({ type: "user-input", turnId, content: userText(`ask ${at}`) });
  const asked = await nextAsked(views[0], turnId);
  const answers = answersTo(asked, at);
  // Now this one, now that one is first to speak.
  const order = at % 2 === 0 ? [0, 1] : [1, 0];
  const receipts = await Promise.all(
    order.map(async (who) => {
      const answer = answers[who] ?? { type: "deny" };
      const receipt = await clients[who]?.submit({
        type: "answer",
        interactionId: asked.id,
        answer,
        answerId: `${at}.${who}`,
      });
      return { who, receipt };
    }),
  );
  const [winner, loser] = receipts.toSorted(
    (one, other) => Number(one.receipt?.type === "refused") - Number(other.receipt?.type === "refused"),
  );
  const first = answers[winner?.who ?? 0];
  expect(winner?.receipt).toMatchObject({ type: "accepted" });
  // Who comes too late learns who was first, and what counts.
  expect(loser?.receipt).toMatchObject({
    type: "refused",
    code: "interaction.settled",
    reason: expect.stringContaining(`${first?.type} (${winner?.who === 0 ? "ada" : "grace"},`),
  });
  for (const view of views) {
    await view.until(
      (frame) =>
        frame.type === "record" && frame.event.record.type === "turn-ended" && frame.event.record.turnId === turnId,
    );
    const settled = view.kept.filter(
      ({ record }) => record.type === "interaction-resolved" && record.interactionId === asked.id,
    );
    expect(settled).toHaveLength(1);
    expect(settled[0]?.record).toMatchObject({ answer: first, answerId: `${at}.${winner?.who}` });
  }
  // What both have learned is forgotten: the next race looks at its own.
  for (const view of views) view.frames.splice(0);
}

async function nextAsked(view: Followed, turnId: string): Promise<Interaction> {
  await view.until(
    (frame) =>
      frame.type === "record" &&
      frame.event.record.type === "interaction-opened" &&
      frame.event.record.turnId === turnId,
  );
  for (const { record } of view.events)
    if (record.type === "interaction-opened" && record.turnId === turnId) return record.interaction;
  throw new Error("nothing was asked");
}

/** One allows it, the other does not: what counts shows. */
function answersTo({ digest }: Interaction, at: number): readonly [InteractionAnswer, InteractionAnswer] {
  const approve = { type: "approve", digest } as const;
  const deny = { type: "deny" } as const;
  return at % 3 === 0 ? [approve, deny] : [deny, approve];
}
