/** Personas are text that is read after everybody's, and tools that are gone: never a tool more. */
import { initialState, modelRequest } from "@capstan/session";
import { type PersonaProfile, permissionModes, type SessionConfig } from "@capstan/protocol";
import { configVariant, runs, sessionConfig } from "@capstan/testkit";
import { isOfferedNow } from "@capstan/wording";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const { tools } = configVariant(0);
const names = tools.map(({ name }) => name);

function config(more: Partial<SessionConfig> = {}): SessionConfig {
  return { ...sessionConfig(), tools, ...more };
}

function requestOf(personas: readonly PersonaProfile[] | undefined, mode: SessionConfig["mode"] = "default") {
  return modelRequest({ ...initialState, config: config({ mode, ...(personas === undefined ? {} : { personas }) }) });
}

test("a session without personas is asked as before there were any, and one that lost them, too", () => {
  const { systemPrompt } = config();
  expect(requestOf(undefined).system).toBe(systemPrompt);
  for (const mode of permissionModes) expect(requestOf([], mode)).toEqual(requestOf(undefined, mode));
});

test("what personas say is read in their order, after the prompt and before what plan mode says", () => {
  const personas = [
    { name: "a", prompt: "You are a." },
    { name: "silent", prompt: "" },
    { name: "b", prompt: "You are b." },
  ];
  const { systemPrompt } = config();
  expect(requestOf(personas).system).toBe(`${systemPrompt}\n\nYou are a.\n\nYou are b.`);
  expect(requestOf(personas, "plan").system).toMatch(/You are b\.\n\nPlan mode is on/);
});

const somePersonas = fc.array(
  fc.record(
    {
      name: fc.constantFrom("a", "b"),
      prompt: fc.constant("You are somebody."),
      tools: fc.subarray([...names, "unknown"]),
      withoutTools: fc.subarray([...names, "unknown"]),
    },
    { requiredKeys: ["name", "prompt"] },
  ),
  { maxLength: 4 },
);

test("whatever they name, a further persona never offers a tool more, and what is not offered is not called", () => {
  fc.assert(
    fc.property(somePersonas, somePersonas, fc.constantFrom(...permissionModes), (some, further, mode) => {
      const before = requestOf(some, mode).tools.map(({ name }) => name);
      const after = requestOf([...some, ...further], mode).tools.map(({ name }) => name);
      expect(before).toEqual(expect.arrayContaining(after));
      const held = config({ mode, personas: [...some, ...further] });
      const gone = [...names, "unknown"].filter((name) =>
        (held.personas ?? []).some(
          ({ tools: only, withoutTools }) => withoutTools?.includes(name) === true || only?.includes(name) === false,
        ),
      );
      expect(gone.filter((name) => isOfferedNow(name, held))).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});
