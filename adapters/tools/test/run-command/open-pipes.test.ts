import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { commandPlace } from "./call-command.ts";

/** What each of them is to print: enough to fill a pipe. */
function script(at: number): string {
  return `test -p /dev/stdout && test -p /dev/stderr && for line in $(seq 2000); do echo number-${at}; done; echo error-${at} > /dev/stderr`;
}

test("commands at once and one after another have real pipes, each its own, and leave no names", async () => {
  const place = commandPlace();
  for (let round = 0; round < 2; round += 1) {
    const numbers = Array.from({ length: 7 }, (_, at) => round * 10 + at);
    const results = await Promise.all(numbers.map((at) => place.call({ command: script(at) })));
    for (const [index, { content }] of results.entries()) {
      const at = numbers[index] ?? -1;
      expect(content).toMatch(/^Exit code: 0/);
      expect(new Set(content.match(/(?:number|error)-\d+/g))).toEqual(new Set([`number-${at}`, `error-${at}`]));
    }
    const after = await place.call({ command: script(99) });
    expect(new Set(after.content.match(/(?:number|error)-\d+/g))).toEqual(new Set(["number-99", "error-99"]));
  }
  const names = readdirSync(place.options.spillDirectory, { recursive: true }).map(String);
  expect(names.filter((name) => name.includes("pipe-"))).toEqual([]);
});

test("the pipes that are kept for later commands do not grow in number", async () => {
  const place = commandPlace();
  for (let count = 0; count < 8; count += 1) await place.call({ argv: ["true"] });
  const before = openDescriptors();
  for (let count = 0; count < 12; count += 1) await place.call({ argv: ["true"] });
  // Four descriptors for each of at most five that are kept.
  expect(openDescriptors() - before).toBeLessThanOrEqual(20);
});

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
