import { EventEmitter, once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Sandbox, SandboxReport, SandboxRequest, ToolResult } from "@capstan/ports";
import { absentSandbox, quietContext, slowTest } from "@capstan/testkit";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { commandPlace } from "./call-command.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function nothingToReport(): Promise<SandboxReport> {
  return await Promise.resolve({ runsLater: [], quarantined: [], refusedHosts: [] });
}

/** A command that has started, and ends when there is a file. */
async function startWaiting(): Promise<{
  readonly mayReach: NonNullable<SandboxRequest["mayReach"]>;
  readonly reply: (isOpen: boolean) => void;
  readonly finish: () => void;
  readonly result: Promise<ToolResult>;
}> {
  let entered: SandboxRequest | undefined;
  const sandbox: Sandbox = {
    ...absentSandbox,
    enter: async (request) => {
      entered = request;
      const { file, args, environment } = request;
      return await Promise.resolve({ file, args, environment, descriptors: [], finish: nothingToReport });
    },
  };
  const place = commandPlace({ sandbox });
  const answered = join(place.workspace.cwd, "answered");
  const draft = await place.prepare({
    command: `echo ready; echo > ${answered}.soon; while [ ! -e ${answered} ]; do sleep 0.01; done; echo done`,
  });
  if (draft.command === undefined) throw new Error("it is no command");
  const confinement = { type: "sandbox", workspace: "write", hosts: [], writable: [] } as const;
  const action = { ...draft, command: { ...draft.command, confinement }, digest: "0".repeat(64) };
  const context = { workspace: place.workspace, ...quietContext, signal: new AbortController().signal };
  const staged = await place.tool.stage?.(action, context);
  const asked = new EventEmitter();
  const result = place.tool.run(action, staged, {
    ...context,
    callId: "call-1",
    settle: staged?.settle ?? { files: [] },
    onOutput: () => undefined,
    mayReach: async () => (await once(asked, "reply")).includes(true),
  });
  while (!existsSync(`${answered}.soon`)) await setImmediate();
  if (entered?.mayReach === undefined) throw new Error("nobody can be asked");
  return {
    mayReach: entered.mayReach,
    reply: (isOpen) => asked.emit("reply", isOpen),
    finish: () => writeFileSync(answered, ""),
    result,
  };
}

test("the time that a connection waits for its user is none of the command's", async () => {
  const command = await startWaiting();
  const answer = command.mayReach({ host: "files.example.org", port: 443 });
  await vi.advanceTimersByTimeAsync(50_000);
  command.reply(true);
  expect(await answer).toBe(true);
  command.finish();
  expect((await command.result).content).toMatch(/^Exit code: 0 .*\nready\ndone\n$/);
});

slowTest("without a question its time runs out", async () => {
  const command = await startWaiting();
  await vi.advanceTimersByTimeAsync(50_000);
  expect((await command.result).content).toContain("Timed out after 20 s");
});
