import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientIdentity, EngineClient, SessionClient } from "@capstan/protocol";
import { expect, onTestFinished, test } from "vitest";
import { hostIn, sharedHome } from "./shared-home.ts";

const operator: ClientIdentity = { frontend: "test", role: "operate" };

async function clientIn(root: string): Promise<EngineClient> {
  const host = await hostIn(root);
  onTestFinished(() => host.close());
  return host.client;
}

async function limitOf(session: SessionClient): Promise<unknown> {
  return (await session.snapshot()).config.limits.maxToolIterationsPerTurn;
}

test("a trust question counts once, for the files that it named, and is asked again when they change", async () => {
  const home = sharedHome();
  const { root } = home;
  onTestFinished(() => home.remove());
  const file = join(root, "work", ".capstan", "config.toml");
  mkdirSync(join(root, "work", ".capstan"));
  writeFileSync(file, "[limits]\nmax_cost_usd = 1\n");
  const { trust } = await clientIn(root);
  const [first] = await trust.questions();
  expect(first).toMatchObject({ folder: join(root, "work"), why: "new", files: [{ name: ".capstan/config.toml" }] });
  if (first === undefined) return;
  expect(await trust.answer(first, "not-now", operator)).toBe(true);
  expect(await trust.questions()).toEqual([first]);
  writeFileSync(file, "[limits]\nmax_cost_usd = 2\n");
  expect(await trust.answer(first, "trust", operator)).toBe(false);
  const [changed] = await trust.questions();
  expect(await trust.answer(changed ?? first, "trust", operator)).toBe(true);
  expect(await trust.questions()).toEqual([]);
  expect(await (await clientIn(root)).trust.questions()).toEqual([]);
  writeFileSync(file, "[limits]\nmax_cost_usd = 3\n");
  expect((await trust.questions()).map(({ why }) => why)).toEqual(["changed"]);
  rmSync(file);
});

test("trust that a client gives counts for the sessions that are opened next, and not for those that are open", async () => {
  const home = sharedHome();
  const { root } = home;
  onTestFinished(() => home.remove());
  mkdirSync(join(root, "work", ".capstan"));
  writeFileSync(join(root, "work", ".capstan", "config.toml"), "[tools]\nmax_tool_iterations_per_user_turn = 5\n");
  const client = await clientIn(root);
  const open = { identity: operator, purpose: "drive" } as const;
  const before = await client.open({ type: "new" }, open);
  const [question] = await client.trust.questions();
  if (question === undefined) throw new Error("nothing is asked");
  expect([await limitOf(before), await client.trust.answer(question, "trust", operator)]).toEqual([200, true]);
  const after = await client.open({ type: "new" }, open);
  const again = await client.open({ type: "new" }, open);
  expect([await limitOf(before), await limitOf(after), await limitOf(again)]).toEqual([200, 5, 5]);
});

test("settings that a trust answer brought along are reported from then on", async () => {
  const home = sharedHome();
  const { root } = home;
  onTestFinished(() => home.remove());
  mkdirSync(join(root, "work", ".capstan"));
  const file = join(root, "work", ".capstan", "config.toml");
  writeFileSync(file, "[tools]\nmax_tool_iterations_per_user_turn = 5\n");
  const client = await clientIn(root);
  const reported = async (): Promise<unknown> =>
    (await client.config()).find(({ key }) => key === "tools.max_tool_iterations_per_user_turn");
  expect(await reported()).toMatchObject({ value: 200 });
  const [question] = await client.trust.questions();
  if (question === undefined) throw new Error("nothing is asked");
  await client.trust.answer(question, "trust", operator);
  expect(await reported()).toMatchObject({ value: 5, origin: expect.stringContaining(file) });
  expect(await reported()).toMatchObject({ value: 5 });
});

test("settings are reported with where they were set, and without secrets", async () => {
  const home = sharedHome();
  const { root } = home;
  onTestFinished(() => home.remove());
  mkdirSync(join(root, "home"), { recursive: true });
  const file = join(root, "home", "config.toml");
  writeFileSync(file, '[api_keys]\nanthropic = "sk-ant-very-secret-0000000000"\n', { mode: 0o600 });
  const entries = await (await clientIn(root)).config();
  const key = entries.find((entry) => entry.key === "api_keys.anthropic");
  expect(key).toMatchObject({ value: "***", origin: `${file}:2 (user)` });
  expect(JSON.stringify(entries)).not.toContain("very-secret");
});
