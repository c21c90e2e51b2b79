/** C24: ordinary work goes through: mostly unasked, and in the sandbox as good as always. */
import { noSandbox } from "@capstan/testkit";
import type { Confinement, RuleVerdict, SandboxSettings } from "@capstan/protocol";
import { judge } from "@capstan/policy";
import { expect, test } from "vitest";
import { nestedCommands } from "../../adapters/tools/src/run-command/nested-commands/nested-commands.ts";
import { ordinaryCommands } from "../../attacks/data/ordinary-commands.ts";

const { reading, working } = ordinaryCommands();

async function verdictOf(script: string, confinement: Confinement, sandbox: SandboxSettings): Promise<RuleVerdict> {
  const form = { type: "script", script, shell: "/bin/bash" } as const;
  const { commands: nested } = await nestedCommands(form);
  const command = { form, cwd: "/ws", timeoutMs: 1_000, confinement, scripts: [], nested };
  return judge(
    { tool: "run_command", effect: "execute", risk: "high", paths: [], command },
    {
      policy: { approval: "default", rules: [], yolo: false },
      mode: "default",
      workspace: { cwd: "/ws", roots: ["/ws"] },
      sandbox,
      frontend: "cli",
      now: 0,
    },
  ).verdict;
}

async function allowed(commands: readonly string[], where: readonly [Confinement, SandboxSettings]): Promise<number> {
  const verdicts = await Promise.all(commands.map(async (command) => await verdictOf(command, ...where)));
  return verdicts.filter((verdict) => verdict === "allow").length;
}

const unaided = [{ type: "none" }, { ...noSandbox, withoutIsolation: "ask" }] as const;
const boxed = [
  { type: "sandbox", workspace: "build", hosts: [], writable: [] },
  { isolation: { type: "enforced" }, autoRun: true, withoutIsolation: "refuse", hosts: [] },
] as const;

test("there are at least 300, each once, and at least 100 only read", () => {
  const all = [...reading, ...working];
  expect([all.length >= 300, new Set(all).size === all.length, reading.length >= 100]).toEqual([true, true, true]);
});

test("without a sandbox, at least 60 of 100 that only read run unasked, and none that work", async () => {
  expect((await allowed(reading, unaided)) / reading.length).toBeGreaterThanOrEqual(0.6);
  expect(await allowed(working, unaided)).toBe(0);
});

test("in the sandbox, at least 95 of 100 run unasked", async () => {
  expect((await allowed([...reading, ...working], boxed)) / (reading.length + working.length)).toBeGreaterThanOrEqual(
    0.95,
  );
});
