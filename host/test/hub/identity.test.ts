/** Who is attached, through which frontend, and what they may do there: the same in this process, over the socket, and from the store. */
import { join } from "node:path";
import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type Role,
  roles,
  type SessionId,
  type Submission,
  toInteractionId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { memoryEngine } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { unixSockets } from "../../src/hub/unix-sockets.ts";
import { Followed } from "./followed.ts";
import { type SharedHome, sharedHome } from "./shared-home.ts";

const ada: ClientIdentity = { frontend: "tui", user: "ada", role: "operate" };
const grace: ClientIdentity = { frontend: "editor", user: "grace", role: "drive" };

function homeForTest(): SharedHome {
  const home = sharedHome();
  onTestFinished(() => home.remove());
  return home;
}

test("a client that joins over the socket, and the owner that it joins, are known by their own frontends", async () => {
  const home = homeForTest();
  const [owner, other] = [await home.open({ isShared: true }), await home.open({ isShared: true })];
  const session = await owner.client.open({ type: "new" }, { identity: ada, purpose: "drive" });
  const target = { type: "resume", id: session.id } as const;
  await session.submit({ type: "title", title: "Shared" });
  const joined = await other.client.open(target, { identity: grace, purpose: "drive" });
  expect(joined.identity).toEqual(grace);
  expect(await joined.owner()).toEqual({ type: "process", processId: process.pid, frontend: "tui" });
  for (const client of [session, joined])
    expect((await client.presence()).map(({ frontend, user, role }) => ({ frontend, user, role }))).toEqual([
      ada,
      grace,
    ]);
  const turnId = other.client.newTurnId();
  const seen = new Followed(session);
  await joined.submit({ type: "user-input", turnId, content: userText("hello") });
  await seen.until((frame) => frame.type === "record" && frame.event.record.type === "turn-ended");
  const begun = seen.kept.find(({ record }) => record.type === "turn-started")?.record;
  expect(begun).toMatchObject({ origin: { frontend: "editor", user: "grace" } });
  await seen.close();
  await joined.close();
  for (const host of [owner, other]) await host.close();
});

test.each(roles)(
  "a client with the role `%s` is refused by the store what every owner would refuse it",
  async (role) => {
    const home = homeForTest();
    const id = await storedSession(home);
    const host = await home.open();
    const identity = { frontend: "tui", user: "ada", role };
    const client = await host.client.open({ type: "resume", id }, { identity, purpose: "watch" });
    expect(await client.presence()).toMatchObject([identity]);
    const stored: unknown[] = [];
    for (const [, submission] of needed) stored.push(codeOf(await client.submit(submission)));
    expect(stored).toEqual(needed.map(([least]) => (may(role, least) ? "session.busy" : "door.role")));
    await client.close();
    await host.close();
  },
);

/** What takes which role at least, in a session whose mode is `default`. */
const needed: readonly (readonly [Role, Submission])[] = [
  ["ask", { type: "user-input", turnId: toTurnId("t"), content: userText("hello") }],
  ["drive", { type: "user-input", turnId: toTurnId("t"), content: userText("hello"), delivery: "steer" }],
  ["drive", { type: "set", settings: { model: "scripted/model-2" } }],
  ["operate", { type: "set", settings: { mode: "auto" } }],
  ["operate", { type: "set", settings: { limits: { maxToolCallsPerBatch: 100_000 } } }],
  ["approve", { type: "answer", interactionId: toInteractionId("i"), answer: { type: "deny" } }],
  [
    "operate",
    { type: "answer", interactionId: toInteractionId("i"), answer: { type: "approve", digest: "d", scope: "always" } },
  ],
  ["operate", { type: "rewind", keepTurns: 0, conversation: true, files: false }],
];

function may(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

function codeOf(receipt: { readonly type: string; readonly code?: string }): string {
  return receipt.code ?? receipt.type;
}

async function storedSession(home: SharedHome): Promise<SessionId> {
  const host = await home.open();
  const session = await host.client.open({ type: "new" }, { identity: ada, purpose: "drive" });
  await session.submit({ type: "title", title: "Stored" });
  await host.close();
  return session.id;
}

test("a process that turns a client away says so with its code and reason, also to one that it let in before", async () => {
  const home = homeForTest();
  const id = await storedSession(home);
  // The owner is not shared: what answers in its place is the test's.
  const owner = await home.open();
  const session = await owner.client.open({ type: "resume", id }, { identity: ada, purpose: "drive" });
  const sockets = unixSockets(join(home.root, "home", "run"), "1.2.3");
  const open = memoryEngine();
  await open.open({ type: "new", id }, { identity: ada, purpose: "drive" });
  const friendly = await sockets.listen(id, open, ada);
  const host = await home.open({ isShared: true });
  const target = { type: "resume", id } as const;
  const letIn = await host.client.open(target, { identity: grace, purpose: "watch" });
  await friendly.close();
  const full = { code: "door.rate", message: "too many clients", hint: "Come back later." } as const;
  const refusal = { type: "refused", code: full.code, reason: full.message, hint: full.hint };
  const turningAway: EngineClient = {
    ...open,
    async open() {
      throw new AppError(full.code, full.message, { hint: full.hint });
    },
  };
  const unfriendly = await sockets.listen(id, turningAway, ada);
  for (const purpose of ["watch", "drive"] as const)
    await expect(host.client.open(target, { identity: grace, purpose })).rejects.toMatchObject(full);
  const approver = { ...grace, role: "approve" } as const;
  const place = { sessionId: id, interactionId: toInteractionId("none") };
  expect(await host.client.interactions.answer(place, { type: "deny" }, approver)).toEqual(refusal);
  const { hint: _, ...reasoned } = refusal;
  const receipt = await letIn.submit({ type: "title", title: "late" });
  expect(receipt).toMatchObject({ ...reasoned, reason: expect.stringContaining(full.message) });
  await letIn.close();
  await host.close();
  await unfriendly.close();
  await session.close();
  await owner.close();
});
