/** A session's personas are a setting like its mode: in its journal, and there again when it is opened again. */
import { sessionSettings } from "@capstan/settings";
import { sessionConfig } from "@capstan/testkit";
import { expect, test } from "vitest";
import { memoryHub } from "./memory-hub.ts";

const identity = { frontend: "test", role: "operate" } as const;
const personas = [{ name: "tidy", prompt: "You are tidy.", withoutTools: ["tidy"] }];

test("personas that a client sets are the session's, in the next process and in a copy, until it sets others", async () => {
  const hub = memoryHub();
  const session = await hub.local.open({ type: "new" }, { identity, purpose: "drive" });
  const before = (await session.snapshot()).config;
  expect(before).not.toHaveProperty("personas");
  expect(await session.submit({ type: "set", settings: { personas: ["tidy"] } })).toMatchObject({ type: "accepted" });
  expect((await session.snapshot()).config).toEqual({ ...before, personas });
  await session.close();
  const again = await hub.local.open({ type: "resume", id: session.id }, { identity, purpose: "drive" });
  expect((await again.snapshot()).config.personas).toEqual(personas);
  const copy = await hub.local.open({ type: "fork", id: session.id }, { identity, purpose: "drive" });
  expect((await copy.snapshot()).config.personas).toEqual(personas);
  await again.submit({ type: "set", settings: { personas: [] } });
  expect((await again.snapshot()).config.personas).toEqual([]);
  expect((await copy.snapshot()).config.personas).toEqual(personas);
  await copy.close();
  await again.close();
  await hub.close();
});

test("personas that are named again for a run take the place of the session's own, and never of those that hold an agent", () => {
  const config = sessionConfig();
  const settings = sessionSettings({
    loaded: { keys: new Map(), origins: new Map([["app.personas", { layer: "flag", flag: "--persona" }]]) },
    choose: () => config,
    named: () => config.model,
    requireProvider: () => undefined,
    withModel: (choice) => ({ ...config, ...choice }),
    personas: () => [{ name: "free", prompt: "You are free." }],
  });
  const agent = { name: "scout", depth: 1, prompt: "You scout.", tools: null };
  expect(settings.ofResumed({ ...config, personas }).config.personas).toEqual([
    { name: "free", prompt: "You are free." },
  ]);
  expect(settings.ofResumed({ ...config, personas, agent }).config.personas).toEqual(personas);
});
