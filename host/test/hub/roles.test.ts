/** Whatever a client sends, in whatever role, here or over lines: what its role does not allow changes nothing. */
import {
  toStepId,
  type EngineClient,
  includesRole,
  type PermissionMode,
  permissionModes,
  type Receipt,
  type Role,
  roles,
  type SessionClient,
  type SessionSnapshot,
  type SettingsPatch,
  type Submission,
  toInteractionId,
  toTurnId,
} from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryHub } from "./memory-hub.ts";

const word = fc.constantFrom("a", "b", "c");
const turnId = word.map((name) => toTurnId(name));
const interactionId = word.map((name) => toInteractionId(name));
const content = fc.constant([{ type: "text", text: "hello" }] as const);
const mode = fc.constantFrom<PermissionMode>(...permissionModes);
const bound = fc.constantFrom(1, 64, 100, null);

/** What a program may try that no type of ours lets through. */
const forbidden: readonly object[] = [
  { yolo: true },
  { policy: { approval: "permissive", rules: [], yolo: true } },
  { sandbox: { isolation: "none" } },
  { tools: [] },
  { askPolicy: "deny" },
  { systemPrompt: "obey" },
];

const settings: fc.Arbitrary<SettingsPatch> = fc.oneof(
  mode.map((value): SettingsPatch => ({ mode: value })),
  fc.constant<SettingsPatch>({ model: "test/model-2" }),
  fc.constant<SettingsPatch>({ strategy: "sequential" }),
  bound.map((value): SettingsPatch => ({ limits: { maxModelCallsPerTurn: value } })),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a program is not bound by our types
  fc.constantFrom(...forbidden).map((value) => value as SettingsPatch),
);

/** Every submission there is; one without an arbitrary does not compile. */
const submissions: { readonly [Type in Submission["type"]]: fc.Arbitrary<Extract<Submission, { type: Type }>> } = {
  "user-input": fc.record({
    type: fc.constant("user-input"),
    turnId,
    content,
    delivery: fc.constantFrom("queue", "steer"),
  }),
  "run-for-user": fc.record({ type: fc.constant("run-for-user"), turnId, command: fc.constant({ script: "make" }) }),
  cancel: fc.record({ type: fc.constant("cancel"), reason: fc.constant("interrupted"), turnId }),
  "queue-change": fc.record({ type: fc.constant("queue-change"), turnId, change: fc.constant({ type: "remove" }) }),
  answer: fc.record({
    type: fc.constant("answer"),
    interactionId,
    answer: fc.constantFrom({ type: "deny" }, { type: "approve", digest: "d", scope: "always" }),
  }),
  set: fc.record({ type: fc.constant("set"), settings }),
  title: fc.record({ type: fc.constant("title"), title: word }),
  resume: fc.constant({ type: "resume" }),
  compact: fc.constant({ type: "compact" }),
  "change-compaction": fc.constant({
    type: "change-compaction",
    compaction: toStepId("session.c1"),
    change: { type: "undo" },
  }),
  rewind: fc.record({
    type: fc.constant("rewind"),
    keepTurns: fc.nat(2),
    conversation: fc.boolean(),
    files: fc.constant(false),
  }),
  unwind: fc.constant({ type: "unwind" }),
  "settle-proposals": fc.record({
    type: fc.constant("settle-proposals"),
    decision: fc.constantFrom("apply", "refuse"),
  }),
  "revoke-grant": fc.record({ type: fc.constant("revoke-grant"), grantId: word }),
};

interface Sent {
  readonly role: Role;
  readonly submission: Submission;
}

const sequences = fc.array(
  fc.record({ role: fc.constantFrom<Role>(...roles), submission: fc.oneof(...Object.values(submissions)) }),
  { minLength: 1, maxLength: 8 },
);

/** The role that the design's table asks for, worked out apart from the engine; `null`: nobody's. */
function needed(submission: Submission, { config }: SessionSnapshot): Role | null {
  switch (submission.type) {
    case "user-input":
      return submission.delivery === "steer" ? "drive" : "ask";
    case "answer":
      return submission.answer.type === "approve" ? "operate" : "approve";
    case "revoke-grant":
    case "settle-proposals":
    case "run-for-user":
      return "approve";
    case "rewind":
    case "unwind":
      return "operate";
    case "set": {
      const { mode: asked = config.mode, limits = {}, ...others } = submission.settings;
      if (Object.keys(others).some((key) => key !== "model" && key !== "strategy")) return null;
      const before = config.limits.maxModelCallsPerTurn;
      const { maxModelCallsPerTurn: after = before } = limits;
      const isWider = before !== null && (after === null || after > before);
      return isWider || permissionModes.indexOf(asked) > permissionModes.indexOf(config.mode) ? "operate" : "drive";
    }
    default:
      return "drive";
  }
}

/** Sends it all, each in its own role, and looks at what came of it. */
async function checkAll(engine: EngineClient, session: SessionClient, all: readonly Sent[]): Promise<void> {
  const clients = new Map<Role, SessionClient>();
  for (const role of roles) {
    const identity = { frontend: "test", user: role, role };
    clients.set(role, await engine.open({ type: "resume", id: session.id }, { identity, purpose: "watch" }));
  }
  for (const { role, submission } of all) {
    const before = await session.snapshot();
    const receipt: Receipt | undefined = await clients.get(role)?.submit(submission);
    const least = needed(submission, before);
    const isRefused = receipt?.type === "refused" && receipt.code.startsWith("door.");
    expect({ role, submission, isRefused }).toEqual({
      role,
      submission,
      isRefused: least === null || !includesRole(role, least),
    });
    const { config, seq } = await session.snapshot();
    const { policy, sandbox, tools, askPolicy, systemPrompt } = before.config;
    expect(config).toMatchObject({ policy, sandbox, tools, askPolicy, systemPrompt });
    const isRaised = permissionModes.indexOf(config.mode) > permissionModes.indexOf(before.config.mode);
    // Where nothing runs that continues by itself, whoever is refused leaves no record.
    const leftRecord = isRefused && before.activity.type === "idle" && seq !== before.seq;
    expect({ leftRecord, isRaised: isRaised && role !== "operate" }).toEqual({ leftRecord: false, isRaised: false });
  }
  for (const client of clients.values()) await client.close();
}

test.each(["local", "remote"] as const)("no client does what its role does not allow: %s", async (where) => {
  const hub = memoryHub();
  const engine = where === "local" ? hub.local : await hub.remote();
  const identity = { frontend: "owner", role: "operate" } as const;
  await fc.assert(
    fc.asyncProperty(sequences, async (all) => {
      const session = await hub.local.open({ type: "new" }, { identity, purpose: "drive" });
      await session.submit({ type: "title", title: "Theirs" });
      await checkAll(engine, session, all);
      await session.close();
    }),
    { numRuns: runs(500) },
  );
  if (where === "remote") await engine.close();
  await hub.close();
});
