/** A session's owner is killed while five clients are attached: they continue with the next one, and nothing is lost or done twice. */
import { slowTest } from "@capstan/testkit";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import {
  type ClientIdentity,
  type Frame,
  type Role,
  type SessionEvent,
  type SessionId,
  toSessionId,
  userText,
} from "@capstan/protocol";
import { expect, onTestFinished, test } from "vitest";
import { bundledProgram } from "../../../test/programs/bundled-program.ts";
import type { Host } from "../../src/index.ts";
import { Followed } from "./followed.ts";
import { actTool, obedientProviders } from "./obedient-model.ts";
import { hostIn, sharedHome } from "./shared-home.ts";

/** Owners that are killed in each test; a variable asks for more. */
const rounds = Number(process.env["CAPSTAN_OWNER_DEATHS"] ?? 1);

/** Pieces of the long answer; the owner's model falls silent in between. */
const pieces = 40;

type Owner = ChildProcessByStdio<null, Readable, null>;

interface Round {
  readonly root: string;
  readonly id: SessionId;
  readonly owner: Owner;
  /** Opened to drive, like a program that embeds the engine. */
  readonly drivers: readonly [Followed, Followed];
  readonly watchers: readonly Followed[];
  readonly host: Host;
  /** What was asked of a model and done by a tool, by whose process. */
  readonly effects: readonly string[];
}

test("a turn that the next owner waits for is carried on once, by it alone", async () => {
  for (let round = 0; round < rounds; round += 1) {
    await inRound("", async ({ host, drivers, watchers, owner, effects }) => {
      const [first] = drivers;
      const turnId = host.client.newTurnId();
      const content = userText(`count ${pieces}`);
      expect(await first.client.submit({ type: "user-input", turnId, content })).toMatchObject({ type: "accepted" });
      await watchers[0]?.until(isPiece(1 + ((round * 7) % 20)));
      await kill(owner);
      await checkEnd([...drivers, ...watchers], "done");
      expect(effects).toEqual(["driver: model"]);
    });
  }
});

slowTest("a turn that the next owner steered is carried on at once", async () => {
  for (let round = 0; round < rounds; round += 1) {
    await inRound(`count ${pieces}`, async ({ host, drivers, watchers, owner, effects }) => {
      const [first] = drivers;
      await first.until(isPiece(1 + ((round * 3) % 20)));
      const turnId = host.client.newTurnId();
      const steering = { type: "user-input", turnId, content: userText("quickly"), delivery: "steer" } as const;
      expect(await first.client.submit(steering)).toMatchObject({ type: "accepted" });
      await kill(owner);
      await checkEnd([...drivers, ...watchers], "done");
      expect(effects).toEqual(["driver: model"]);
    });
  }
});

slowTest(
  "a process that joins to drive has the owner carry on with what waits there, and one that joins to watch has not",
  async () => {
    await inRound(`count ${pieces}`, async ({ root, id, drivers, watchers, owner, effects }) => {
      const [first] = drivers;
      await first.until(isPiece(1));
      await kill(owner);
      await first.until((frame) => frame.type === "owner" && frame.owner.type === "here");
      const third = await hostIn(root, { isShared: true });
      const identity = { frontend: "third", user: "third", role: "operate" } as const;
      const target = { type: "resume", id } as const;
      try {
        const watching = await third.client.open(target, { identity, purpose: "watch" });
        const waiting = await third.client.open(target, { identity, purpose: "drive", resume: "wait" });
        expect([watching.recovery.waits, waiting.recovery.waits, effects]).toEqual([true, true, []]);
        const joined = await third.client.open(target, { identity, purpose: "drive" });
        expect(await joined.owner()).toMatchObject({ type: "process", frontend: "drive" });
        await checkEnd([...drivers, ...watchers], "done");
        expect(effects).toEqual(["driver: model"]);
      } finally {
        await third.close();
      }
    });
  },
);

test("a turn that nobody there waits for waits for a resume of somebody who drives", async () => {
  for (let round = 0; round < rounds; round += 1) {
    await inRound(`count ${pieces}`, async ({ drivers, watchers, owner, effects }) => {
      const [first, second] = drivers;
      await first.until(isPiece(1 + ((round * 5) % 20)));
      await kill(owner);
      await first.until((frame) => frame.type === "owner" && frame.owner.type === "here");
      expect(first.client.recovery.waits).toBe(true);
      const [watcher, asker] = watchers;
      for (const each of [watcher, asker])
        expect(await each?.client.submit({ type: "resume" })).toMatchObject({ type: "refused", code: "door.role" });
      expect(effects).toEqual([]);
      const resumed = [first.client.submit({ type: "resume" }), second.client.submit({ type: "resume" })];
      expect((await Promise.all(resumed)).map(({ type }) => type)).toEqual(["accepted", "accepted"]);
      await checkEnd([...drivers, ...watchers], "done");
      expect(effects).toEqual(["driver: model"]);
    });
  }
});

test("what waits for an answer when its owner dies is answered at the next one, and done once", async () => {
  for (let round = 0; round < rounds; round += 1) {
    await inRound("ask once", async ({ root, drivers, watchers, owner, effects }) => {
      const [first, second] = drivers;
      await first.until((frame) => frame.type === "record" && frame.event.record.type === "interaction-opened");
      await kill(owner);
      await second.until((frame) => frame.type === "owner" && frame.owner.type === "here");
      const [asked] = (await second.client.snapshot()).pending;
      if (asked === undefined) throw new Error("nothing waits");
      const answer = { type: "approve", digest: asked.digest } as const;
      const receipts = await Promise.all(
        drivers.map(({ client }, at) =>
          client.submit({ type: "answer", interactionId: asked.id, answer, answerId: String(at) }),
        ),
      );
      expect(receipts.map(({ type }) => type).toSorted()).toEqual(["accepted", "refused"]);
      expect(effects).toEqual([]);
      await first.client.submit({ type: "resume" });
      await checkEnd([...drivers, ...watchers], "done");
      expect(effects).toEqual(["driver: acted once", "driver: model"]);
      expect(existsSync(join(root, "acted")) ? readFileSync(join(root, "acted"), "utf8") : "").toBe("");
    });
  }
});

/** One owner with everybody who is attached to its session, until the end of its round. */
async function inRound(words: string, play: (round: Round) => Promise<void>): Promise<void> {
  const home = sharedHome();
  const owner = await startOwner(home.root, words);
  const effects: string[] = [];
  const hosts = await Promise.all(
    ["driver", "watcher"].map((name) =>
      home.open({
        isShared: true,
        providers: obedientProviders(undefined, () => effects.push(`${name}: model`)),
        tools: [actTool((acted) => effects.push(`${name}: acted ${acted}`))],
      }),
    ),
  );
  const attached: Followed[] = [];
  try {
    const [host, watching] = hosts;
    if (host === undefined || watching === undefined) throw new Error("a host is missing");
    const id = toSessionId(String((await once(owner.stdout, "data"))[0]).trim());
    const attach = async (where: Host, role: Role, purpose: "drive" | "watch"): Promise<Followed> => {
      const identity: ClientIdentity = { frontend: purpose, user: role, role };
      const followed = new Followed(await where.client.open({ type: "resume", id }, { identity, purpose }));
      attached.push(followed);
      await followed.until(({ type }) => type === "live");
      // On a busy machine the owner may not be reachable yet: until it is, the client reads from the store.
      if ((await followed.client.owner()).type === "none")
        await followed.until((frame) => frame.type === "owner" && frame.owner.type === "process");
      return followed;
    };
    const drivers = [await attach(host, "operate", "drive"), await attach(host, "approve", "drive")] as const;
    const watchers: Followed[] = [];
    for (const role of ["watch", "ask", "drive"] as const) watchers.push(await attach(watching, role, "watch"));
    await play({ root: home.root, id, owner, drivers, watchers, host, effects });
    for (const { frames } of watchers) expect(frames.filter(isOwnedHere)).toEqual([]);
  } finally {
    for (const each of attached) await each.close();
    for (const host of hosts) await host.close();
    await kill(owner);
    home.remove();
  }
}

async function startOwner(root: string, words: string): Promise<Owner> {
  const program = await bundledProgram(join(import.meta.dirname, "owner-process.ts"));
  const owner = spawn(process.execPath, [program, root, words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => kill(owner));
  return owner;
}

async function kill(owner: Owner): Promise<void> {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  owner.kill("SIGKILL");
  await once(owner, "exit");
}

/** Everybody has the whole journal, each number once; it holds as many turns as outcomes, each of which has ended once. */
async function checkEnd(all: readonly Followed[], ...outcomes: readonly string[]): Promise<void> {
  for (const each of all) await each.until(() => each.kept.filter(isTurnEnd).length >= outcomes.length);
  const [first] = all;
  const journal = await first?.client.history(null, 1000);
  const numbers = journal?.events.map(({ seq }) => seq);
  for (const { kept, misplaced } of all) {
    expect(misplaced).toEqual([]);
    expect(kept).toEqual(journal?.events.slice(0, kept.length));
    const last = kept.findLastIndex(({ record }) => record.type === "turn-ended");
    expect(numbers?.slice(0, last + 1)).toEqual(kept.slice(0, last + 1).map(({ seq }) => seq));
  }
  const records = journal?.events.map(({ record }) => record) ?? [];
  expect(records.filter(({ type }) => type === "turn-started")).toHaveLength(outcomes.length);
  expect(records.filter(({ type }) => type === "turn-ended")).toMatchObject(outcomes.map((outcome) => ({ outcome })));
}

function isPiece(count: number): (frame: Frame) => boolean {
  return (frame) =>
    frame.type === "record" &&
    frame.event.record.type === "text-delta" &&
    new RegExp(`\\b${count} `).test(frame.event.record.delta);
}

function isTurnEnd({ record }: SessionEvent): boolean {
  return record.type === "turn-ended";
}

function isOwnedHere(frame: Frame): boolean {
  return frame.type === "owner" && frame.owner.type === "here";
}
