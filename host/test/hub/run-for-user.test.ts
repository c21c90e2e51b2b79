import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SessionClient, SessionEvent } from "@capstan/protocol";
import { createHost, loadSettings } from "../../src/index.ts";
import { expect, onTestFinished, test } from "vitest";
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
  const { seq, conversation } = await session.snapshot();
  expect(JSON.stringify(conversation)).toContain("said");
  expect(await session.submit(submission)).toMatchObject({ type: "accepted", seq });
  const second = { ...submission, turnId: host.client.newTurnId(), command: { argv: ["cat", "made.txt"] } };
  expect(await session.submit(second)).toMatchObject({ type: "accepted" });
  await eventsUntilEnd(session, seq);
  expect(JSON.stringify((await session.snapshot()).conversation)).toContain("one");
  await host.client.sessions.rewind(
    session.id,
    { type: "back", keepTurns: 0, conversation: true, files: true },
    identity,
  );
  expect([existsSync(made), (await session.snapshot()).turns]).toEqual([false, []]);
});
