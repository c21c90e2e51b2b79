import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SessionEvent, userText } from "@capstan/protocol";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { asDriver, FollowedSession, isTurnEnd } from "@capstan/testkit";
import { onTestFinished } from "vitest";
import { loadSettings, type Settings } from "../src/load-settings.ts";
import { createHost, type Host, type HostOptions } from "../src/hub/create-host.ts";

/** A key that no vendor gave out. */
export const key = "key-of-a-vendor-1234567890";

export interface Place {
  readonly home: string;
  readonly workspace: string;
  readonly settings: (env?: Readonly<Record<string, string>>, sets?: readonly string[]) => Promise<Settings>;
}

/** An empty home and workspace, gone when the test ends. */
export function newPlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-host-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  const workspace = join(root, "work");
  mkdirSync(workspace);
  return {
    home,
    workspace,
    settings: (env = {}, sets = []) =>
      loadSettings({
        env: { PATH: process.env["PATH"], CAPSTAN_HOME: home, ...env },
        cwd: workspace,
        sets,
        flags: [],
        safeMode: false,
        addDirectories: [],
        yolo: false,
      }),
  };
}

/** A model that gives these answers. */
export async function rehearse(turns: readonly object[]): Promise<Rehearsal> {
  const scenario = parseScenario(JSON.stringify({ name: "host", turns }), "scenario.json");
  const rehearsal = await startRehearsal({ scenario });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

/** A host that is closed when the test ends. */
export async function start(settings: Settings, changes: Partial<HostOptions> = {}): Promise<Host> {
  const host = await createHost(settings, {
    askPolicy: "deny",
    interactionExpiryMs: null,
    onUnknown: "fail",
    version: "1.2.3",
    report: () => undefined,
    ...changes,
  });
  let closed = false;
  const close = async (): Promise<void> => {
    if (!closed) await host.close();
    closed = true;
  };
  onTestFinished(close);
  return { ...host, close };
}

/** One turn, to its end. */
export async function take({ client }: Host, words: string): Promise<readonly SessionEvent[]> {
  const session = new FollowedSession(await client.open({ type: "new" }, asDriver));
  await session.client.submit({ type: "user-input", turnId: client.newTurnId(), content: userText(words) });
  await session.nth(1, isTurnEnd);
  await session.close();
  return await client.sessions.read(session.client.id, 0);
}
