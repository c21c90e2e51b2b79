/** A session outlives its folder: what was said there can be resumed, elsewhere or where the folder is made again. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError, type SessionClient, userText } from "@capstan/protocol";
import { expect, onTestFinished, test } from "vitest";
import type { Host } from "../../src/index.ts";
import { Followed } from "./followed.ts";
import { sharedHome } from "./shared-home.ts";

const identity = { frontend: "test", user: "ada", role: "operate" } as const;
const options = { identity, purpose: "drive" } as const;

async function say(host: Host, session: SessionClient, words: string): Promise<void> {
  const seen = new Followed(session, (await session.snapshot()).seq);
  const turnId = host.client.newTurnId();
  await session.submit({ type: "user-input", turnId, content: userText(words) });
  await seen.until((frame) => frame.type === "record" && frame.event.record.type === "turn-ended");
  expect(seen.kept.at(-1)?.record).toMatchObject({ type: "turn-ended", outcome: "done" });
}

test("a session whose folder is gone is copied to where Capstan runs, and resumed once the hint was followed", async () => {
  const home = sharedHome();
  onTestFinished(() => home.remove());
  const folder = "it's gone";
  mkdirSync(join(home.root, folder));
  const first = await home.open({}, { folder });
  const session = await first.client.open({ type: "new" }, options);
  await say(first, session, "hello");
  await first.close();
  rmSync(join(home.root, folder), { recursive: true });
  const host = await home.open();
  const target = { type: "resume", id: session.id } as const;
  const error = await host.client.open(target, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error("it was opened");
  expect(error).toMatchObject({ code: "usage.workspace-missing", message: expect.stringContaining(folder) });
  expect(error.hint).toContain(`capstan --resume ${session.id} --fork-session`);
  const copy = await host.client.open({ type: "fork", id: session.id }, options);
  expect((await copy.snapshot()).workspace.cwd).toBe(join(home.root, "work"));
  await say(host, copy, "hello again");
  expect((await copy.snapshot()).turns).toHaveLength(2);
  await copy.close();
  const [, remedy = ""] = /folder again: (.+)$/.exec(error.hint ?? "") ?? [];
  execFileSync("/bin/sh", ["-c", remedy]);
  const resumed = await host.client.open(target, options);
  await say(host, resumed, "hello once more");
  expect((await resumed.snapshot()).workspace.cwd).toBe(join(home.root, folder));
  await resumed.close();
  await host.close();
});
