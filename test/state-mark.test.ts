/** A saved state is read by the code that could have written it, and by no other. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stateFormat } from "@capstan/session";
import { expect, inject, test } from "vitest";
import { filesOfState, stateMark } from "../scripts/state-mark/state-mark.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const mark = stateMark(root);
const files = filesOfState(read);

/** The mark when one text stands in place of another. */
function markWith(file: string, before: string, after: string): string {
  expect(read(file)).toContain(before);
  return stateMark(root, (path) => (path === file ? read(path).replace(before, after) : read(path)));
}

test.each([
  [
    "a field of the state",
    "core/session/src/model/state.ts",
    "readonly compactions: number;",
    "readonly compactions: string;",
  ],
  [
    "a fold",
    "core/session/src/evolve/evolve-step.ts",
    "attempt === 1 ? turn.steps + 1",
    "attempt === 1 ? turn.steps + 2",
  ],
  [
    "what a fold calls",
    "core/protocol/src/model/model-stream.ts",
    "inputTokens: a.inputTokens +",
    "inputTokens: a.inputTokens -",
  ],
  ["the type of a record", "core/protocol/src/record.ts", "readonly keepTurns: number;", "readonly keepTurns: string;"],
  ["an upcaster", "core/protocol/src/versions/upcasts.ts", "expiresAt: null,", "expiresAt: 0,"],
])("a change of %s changes the mark", (_what, file, before, after) => {
  expect(files).toContain(file);
  expect(markWith(file, before, after)).not.toBe(mark);
});

test("a change of what no fold reaches changes nothing, nor do line ends", () => {
  for (const file of ["core/engine/src/operation/decide.ts", "core/protocol/src/error-catalog.ts"]) {
    expect(files).not.toContain(file);
  }
  expect(stateMark(root, (path) => read(path).replaceAll("\n", "\r\n"))).toBe(mark);
});

test("the mark is that of the text that runs, here and in the bundle", () => {
  expect(stateFormat).toBe(mark);
  const folder = join(inject("capstanEntry"), "..");
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const scripts = names.map((name) => readFileSync(join(folder, name), "utf8"));
  expect(scripts.filter((script) => script.includes(mark)).length).toBeGreaterThan(0);
});
