import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rmSync } from "node:fs";
import { reversed, Workshop } from "../workshop.ts";

/** Few names, so that files become folders, links become files, and rules hit them. */
const path = fc
  .array(fc.constantFrom("a", "b", "c", "-x", "new\nline"), { minLength: 1, maxLength: 3 })
  .map((names) => names.join("/"));
const content = fc.oneof(
  fc.constantFrom("", "1\n", "2\n", "$Id$\r\n"),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
);
const operation = fc.oneof(
  fc.record({ type: fc.constant("write" as const), path, content, mode: fc.constantFrom(0o644, 0o755) }),
  fc.record({ type: fc.constant("link" as const), path, target: fc.constantFrom("a", "../b", "/nowhere") }),
  fc.record({ type: fc.constant("remove" as const), path }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

function run(shop: Workshop, operations: readonly Operation[]): void {
  for (const one of operations) {
    try {
      if (one.type === "remove") rmSync(shop.path(one.path), { recursive: true });
      else if (one.type === "write") shop.write(one.path, one.content, one.mode);
      else shop.link(one.path, one.target);
    } catch {
      // A file is in the way, or it would go through a link that leads nowhere: as a command, this one failed.
    }
  }
}

test("whatever happens between a checkpoint and its undo, the tree is the same afterwards, byte by byte; and back again", async () => {
  const operations = fc.array(operation, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(operations, operations, fc.boolean(), async (first, second, named) => {
      const shop = new Workshop();
      run(shop, first);
      const before = shop.files();
      const names = [...first, ...second].map((one) => one.path);
      const checkpoint = await shop.keep(named ? names : "everything");
      run(shop, second);
      const after = shop.files();
      shop.reopen();
      const effects = await shop.since(checkpoint);
      fc.pre(!named || (checkpoint.left.length === 0 && isCovered(before, after, names)));
      expect(isDone(await shop.apply(reversed(effects)))).toBe(true);
      expect(shop.files()).toEqual(before);
      expect(isDone(await shop.apply(reversed(effects)))).toBe(true);
      expect(isDone(await shop.apply(effects))).toBe(true);
      expect(shop.files()).toEqual(after);
    }),
    // A file whose place an empty folder has taken: nothing is lost by removing that.
    { numRuns: runs(60), examples: [[[written("a")], [removed("a"), written("a/b"), removed("a/b")], false]] },
  );
});

function written(name: string): Operation {
  return { type: "write", path: name, content: "", mode: 0o644 };
}

function removed(name: string): Operation {
  return { type: "remove", path: name };
}

function isDone(answers: readonly string[]): boolean {
  return answers.every((answer) => answer === "done");
}

/** Whether everything that differs was named. A folder that was removed takes others with it; links lead elsewhere. */
function isCovered(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  names: readonly string[],
): boolean {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...all].every((name) => before[name] === after[name] || names.includes(name));
}
