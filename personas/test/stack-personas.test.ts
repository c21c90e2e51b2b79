/** Personas stack: what one extends comes before it, and none gives a tool that another takes away. */
import { expect, test } from "vitest";
import { type Persona, stackPersonas } from "../src/index.ts";

function persona(name: string, more: Partial<Persona> = {}): Persona {
  const plain = { description: name, version: "1.0.0", from: "user", priority: 0, extends: [], tools: null } as const;
  return { ...plain, name, prompt: `You are ${name}.`, withoutTools: [], ...more };
}

const ours = new Map([["file_read", "read_file"]]);

function stack(names: readonly string[], ...known: readonly Persona[]) {
  return stackPersonas(names, known, (name) => ours.get(name));
}

function order(names: readonly string[], ...known: readonly Persona[]): readonly string[] {
  return stack(names, ...known).map(({ name }) => name);
}

test("personas come in the order of their priorities, and else of their names as they were given", () => {
  const known = [persona("a"), persona("b", { priority: 5 }), persona("c", { priority: -1 }), persona("d")];
  expect(order(["b", "d", "c", "a"], ...known)).toEqual(["c", "d", "a", "b"]);
});

test("what a persona extends comes before it, once, whatever its priority is", () => {
  const known = [
    persona("base", { priority: 9 }),
    persona("lint", { extends: ["base"] }),
    persona("rust", { extends: ["lint", "base"] }),
    persona("docs", { extends: ["base"], priority: -5 }),
  ];
  expect(order(["rust", "docs", "rust"], ...known)).toEqual(["base", "docs", "lint", "rust"]);
});

test("a name that leads nowhere, and a ring, are refused by name", () => {
  expect(() => stack(["nobody"])).toThrow('there is no persona "nobody"');
  expect(() => stack(["a"], persona("a", { extends: ["b"] }))).toThrow('there is no persona "b", which a extends');
  const ring = [persona("a", { extends: ["b"] }), persona("b", { extends: ["c"] }), persona("c", { extends: ["a"] })];
  expect(() => stack(["a"], ...ring)).toThrow("a → b → c → a");
});

test("no more than a session's share are stacked, however they come along", () => {
  const many = Array.from({ length: 40 }, (_, at) => persona(`p${at}`, at === 39 ? {} : { extends: [`p${at + 1}`] }));
  expect(() => stack(["p0"], ...many)).toThrow("at most 16");
  expect(order(["p24"], ...many)).toHaveLength(16);
});

test("tools are named as Capstan names them, and a list keeps what concerns the session itself", () => {
  const known = [
    persona("reader", { tools: ["file_read", "later"] }),
    persona("calm", { withoutTools: ["file_read"] }),
  ];
  expect(stack(["reader", "calm"], ...known)).toEqual([
    {
      name: "reader",
      prompt: "You are reader.",
      tools: ["read_file", "later", "ask_user", "exit_plan_mode", "update_plan"],
    },
    { name: "calm", prompt: "You are calm.", withoutTools: ["read_file"] },
  ]);
});

test("what personas say of themselves is said once, after the last: later traits count, everything else adds up", () => {
  const known = [
    persona("calm", {
      identity: { traits: { verbosity: 0, pedantry: 1 }, lenses: ["cost"], deliverables: ["risks", "test_plan"] },
    }),
    persona("loud", {
      identity: { traits: { verbosity: 0.9, planning_depth: 0.5 }, lenses: ["cost", "speed"], deliverables: [] },
    }),
    persona("plain"),
  ];
  expect(stack(["calm", "loud", "plain"], ...known).map(({ prompt }) => prompt)).toEqual([
    "You are calm.",
    "You are loud.\n\nExplain at length, with the reasons for what you did. Be exact in small things, too: names, edge cases, wording. " +
      "Look at the work with an eye to cost, speed. End the answer to a finished task with: how to test it; what could go wrong.",
    "You are plain.",
  ]);
  const middling = { traits: { verbosity: 0.5 }, lenses: [], deliverables: [] };
  expect(stack(["fair"], persona("fair", { identity: middling }))[0]?.prompt).toBe("You are fair.");
});
