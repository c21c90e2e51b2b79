/** A process that lacks what a session takes opens it all the same, says what it lacks, and lets the turn wait. */
import { type JournalRecord, type SessionClient, type SessionId, userText } from "@capstan/protocol";
import { expect, onTestFinished, test } from "vitest";
import type { Host } from "../../src/index.ts";
import { Followed } from "./followed.ts";
import { obedientProviders } from "./obedient-model.ts";
import { type SharedHome, sharedHome } from "./shared-home.ts";

const identity = { frontend: "test", user: "ada", role: "operate" } as const;
const quietly = { identity, purpose: "drive", resume: "wait" } as const;

function homeForTest(): SharedHome {
  const home = sharedHome();
  onTestFinished(() => home.remove());
  return home;
}

/** A host without the provider that the sessions here have. */
function poorHost(home: SharedHome): Promise<Host> {
  return home.open({ isShared: true, providers: {} }, { sets: [] });
}

/** A session whose owner has gone in the middle of a turn. */
async function leftBehind(home: SharedHome): Promise<SessionId> {
  const host = await home.open();
  const session = await host.client.open({ type: "new" }, { identity, purpose: "drive" });
  await say(host, session, "hold");
  await host.close();
  return session.id;
}

async function say(host: Host, session: SessionClient, words: string): Promise<void> {
  const turnId = host.client.newTurnId();
  expect(await session.submit({ type: "user-input", turnId, content: userText(words) })).toMatchObject({
    type: "accepted",
  });
}

test("a quiet opening names what is lacking, lets the turn wait, and continues where it is there", async () => {
  const home = homeForTest();
  const id = await leftBehind(home);
  const poor = await poorHost(home);
  const waiting = await poor.client.open({ type: "resume", id }, quietly);
  const seen = new Followed(waiting);
  const lacks = { code: "model.unknown", reason: expect.stringContaining("scripted"), hint: expect.any(String) };
  expect(waiting.recovery).toMatchObject({ waits: true, lacks });
  const isNotice = (record: JournalRecord): boolean => record.type === "notice" && record.code !== "context.assumed";
  await seen.until((frame) => frame.type === "record" && isNotice(frame.event.record));
  expect(seen.kept.at(-1)?.record).toMatchObject({ code: "session.lacks", text: expect.stringContaining("scripted") });
  const refused = { type: "refused", code: "session.waiting", reason: expect.stringContaining("scripted") };
  expect(await waiting.submit({ type: "resume" })).toMatchObject(refused);
  expect((await waiting.snapshot()).activity.type).not.toBe("idle");
  await seen.close();
  await poor.close();
  let asked: () => void = ignore;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const rich = await home.open({ providers: obedientProviders(undefined, () => asked()) });
  const resumed = await rich.client.open({ type: "resume", id }, { identity, purpose: "drive" });
  expect(resumed.recovery.lacks).toBeUndefined();
  const after = new Followed(resumed);
  await isAsked;
  await resumed.submit({ type: "cancel", reason: "interrupted" });
  await after.until((frame) => frame.type === "record" && frame.event.record.type === "turn-ended");
  expect(after.kept.filter(({ record }) => record.type === "turn-started")).toHaveLength(1);
  await after.close();
  await rich.close();
});

test("what is begun while something is lacking waits, and continues the moment it is there", async () => {
  const home = homeForTest();
  const first = await home.open();
  const { id } = await first.client.open({ type: "new" }, { identity, purpose: "drive" }).then(async (session) => {
    await session.submit({ type: "title", title: "At rest" });
    return session;
  });
  await first.close();
  const { scripted: other } = obedientProviders();
  const host = await home.open({ providers: other === undefined ? {} : { other } }, { sets: [] });
  const session = await host.client.open({ type: "resume", id }, quietly);
  const seen = new Followed(session);
  await say(host, session, "hello");
  await seen.until((frame) => frame.type === "record" && frame.event.record.type === "turn-started");
  expect(await session.submit({ type: "set", settings: { model: "scripted/model-2" } })).toMatchObject({
    type: "refused",
  });
  expect(session.recovery.waits).toBe(true);
  expect(await session.submit({ type: "set", settings: { model: "other/model-1" } })).toMatchObject({
    type: "accepted",
  });
  await seen.until((frame) => frame.type === "record" && frame.event.record.type === "turn-ended");
  expect(session.recovery).toMatchObject({ waits: false });
  await seen.close();
  await host.close();
});

test("of those who follow a lost owner, one that has what it takes becomes the next", async () => {
  const home = homeForTest();
  const owner = await home.open({ isShared: true });
  const session = await owner.client.open({ type: "new" }, { identity, purpose: "drive" });
  await say(owner, session, "hold");
  const poor = await poorHost(home);
  const rich = await home.open({ isShared: true });
  const target = { type: "resume", id: session.id } as const;
  const options = { identity, purpose: "drive" } as const;
  const [lacking, having] = [
    new Followed(await poor.client.open(target, options)),
    new Followed(await rich.client.open(target, options)),
  ];
  await Promise.all([lacking, having].map((each) => each.until(({ type }) => type === "live")));
  await owner.close();
  await having.until((frame) => frame.type === "owner" && frame.owner.type === "here");
  await lacking.until((frame) => frame.type === "owner" && frame.owner.type === "process");
  expect(having.client.recovery).toMatchObject({ waits: true });
  expect(having.client.recovery.lacks).toBeUndefined();
  for (const each of [lacking, having]) await each.close();
  for (const host of [poor, rich]) await host.close();
});

test("where nobody has what it takes, the next owner says so to everybody who is attached", async () => {
  const home = homeForTest();
  const owner = await home.open({ isShared: true });
  const session = await owner.client.open({ type: "new" }, { identity, purpose: "drive" });
  await say(owner, session, "hold");
  const [poor, watching] = [await poorHost(home), await home.open({ isShared: true })];
  const target = { type: "resume", id: session.id } as const;
  const driver = new Followed(await poor.client.open(target, { identity, purpose: "drive" }));
  const watcher = new Followed(await watching.client.open(target, { identity, purpose: "watch" }));
  await Promise.all([driver, watcher].map((each) => each.until(({ type }) => type === "live")));
  await owner.close();
  for (const each of [driver, watcher])
    await each.until(
      (frame) =>
        frame.type === "record" &&
        frame.event.record.type === "notice" &&
        frame.event.record.code === "session.lacks" &&
        frame.event.record.text.includes("scripted"),
    );
  expect(driver.client.recovery).toMatchObject({ waits: true, lacks: { code: "model.unknown" } });
  await watcher.until((frame) => frame.type === "owner" && frame.owner.type === "process");
  expect(await watcher.client.submit({ type: "resume" })).toMatchObject({ code: "session.waiting" });
  for (const each of [driver, watcher]) await each.close();
  for (const host of [poor, watching]) await host.close();
});

function ignore(): void {
  // Replaced before anything calls it.
}
