import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inTurn } from "@capstan/testkit";
import { permissionModes, type SessionClient, type SessionEvent } from "@capstan/protocol";
import { createHost, type HostOptions, loadSettings } from "../../src/index.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { obedientModel, obedientProviders } from "./obedient-model.ts";
import { sharedHome } from "./shared-home.ts";

async function eventsUntilEnd(session: SessionClient, after: number): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const frame of session.attach(after)) {
    if (frame.type !== "record") continue;
    events.push(frame.event);
    if (frame.event.record.type === "turn-ended") break;
  }
  return events;
}

test("a user's command really runs, once for each submission, is reported to the model, and can be undone", async () => {
  const home = sharedHome();
  onTestFinished(() => home.remove());
  const settings = await loadSettings({
    env: { PATH: process.env["PATH"], CAPSTAN_HOME: join(home.root, "home") },
    cwd: join(home.root, "work"),
    sets: [obedientModel, "sandbox.mode=off"],
    flags: [],
    safeMode: false,
    addDirectories: [],
    yolo: false,
  });
  const options = { askPolicy: "deny", interactionExpiryMs: null, onUnknown: "fail", version: "1" } as const;
  const host = await createHost(settings, { ...options, providers: obedientProviders(), report: () => undefined });
  onTestFinished(() => host.close());
  const identity = { frontend: "test", role: "operate" } as const;
  const session = await host.client.open({ type: "new" }, { identity, purpose: "drive" });
  const made = join(home.root, "work", "made.txt");
  const submission = {
    type: "run-for-user",
    turnId: host.client.newTurnId(),
    command: { script: "echo one >> made.txt; echo said" },
  } as const;
  expect(await session.submit(submission)).toMatchObject({ type: "accepted" });
  const events = await eventsUntilEnd(session, 0);
  expect(events.at(-1)?.record).toMatchObject({ type: "turn-ended", outcome: "done" });
  const { seq } = await session.snapshot();
  expect(JSON.stringify(await session.conversation(null, 10))).toContain("said");
  expect(await session.submit(submission)).toMatchObject({ type: "accepted", seq });
  const second = { ...submission, turnId: host.client.newTurnId(), command: { argv: ["cat", "made.txt"] } };
  expect(await session.submit(second)).toMatchObject({ type: "accepted" });
  await eventsUntilEnd(session, seq);
  expect(JSON.stringify(await session.conversation(null, 10))).toContain("one");
  await host.client.sessions.rewind(
    session.id,
    { type: "back", keepTurns: 0, conversation: true, files: true },
    identity,
  );
  expect([existsSync(made), (await session.snapshot()).turns]).toEqual([false, []]);
});

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;

/** A session in a home of its own, and what came of each command that its user runs there. */
async function ownCommands(
  sets: readonly string[],
  options: Partial<HostOptions> = {},
): Promise<{ readonly file: string; readonly run: (script: string) => Promise<string> }> {
  const home = sharedHome();
  onTestFinished(() => home.remove());
  const host = await home.open(options, { sets: [obedientModel, ...sets] });
  onTestFinished(() => host.close());
  const identity = { frontend: "test", role: "approve" } as const;
  const session = await host.client.open(
    { type: "new" },
    { identity: { ...identity, role: "operate" }, purpose: "drive" },
  );
  const approver = await host.client.open({ type: "resume", id: session.id }, { identity, purpose: "drive" });
  return {
    file: join(home.root, "work", "made.txt"),
    run: async (script) => {
      const { seq } = await session.snapshot();
      const turnId = host.client.newTurnId();
      await approver.submit({ type: "run-for-user", turnId, command: { script } });
      const ended = (await eventsUntilEnd(session, seq)).at(-1)?.record;
      return ended?.type === "turn-ended" ? ended.outcome : "none";
    },
  };
}

describe("a mode says how far the model may go: a user's own command changes the workspace", () => {
  const places = [
    ["in the sandbox", ["sandbox.mode=required"], {}, !hasBubblewrap],
    ["without a sandbox", ["sandbox.mode=off"], {}, false],
    ["without a sandbox, where nobody is asked", ["sandbox.mode=off"], { askPolicy: "deny" }, false],
  ] as const;
  for (const [place, sets, options, isMissing] of places) {
    test.skipIf(isMissing).each(inTurn(permissionModes, place))(
      `in mode %s, ${place}, time after time`,
      async (mode) => {
        const { file, run } = await ownCommands([...sets, `permissions.mode=${mode}`], options);
        for (let time = 1; time <= 2; time += 1) {
          expect(await run("echo made >> made.txt")).toBe("done");
          expect(readFileSync(file, "utf8")).toBe("made\n".repeat(time));
        }
      },
    );
  }

  test.each(inTurn(permissionModes, "denied"))(
    "but in mode %s what a rule denies is denied, time after time",
    async (mode) => {
      const denied = 'permissions.deny=["run_command(touch:*)"]';
      const { file, run } = await ownCommands(["sandbox.mode=off", `permissions.mode=${mode}`, denied]);
      for (let time = 1; time <= 2; time += 1) expect(await run("touch made.txt")).toBe("tool-denied");
      expect(existsSync(file)).toBe(false);
    },
  );
});
