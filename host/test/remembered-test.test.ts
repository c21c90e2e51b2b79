import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxRequest } from "@capstan/ports";
import type { Isolation } from "@capstan/protocol";
import { expect, onTestFinished, test } from "vitest";
import { rememberingTest, type TestSituation } from "../src/remembered-test.ts";

const enforced: Isolation = { type: "enforced" };
const request: SandboxRequest = {
  workspace: { cwd: "/work", roots: ["/work"] },
  confinement: { type: "sandbox", workspace: "write", hosts: [], writable: [] },
  file: "true",
  args: [],
  cwd: "/work",
  environment: {},
};

/** A sandbox that counts its self-tests, which end as is said. */
function counting(end: () => Isolation): Sandbox & { readonly tests: () => number; readonly entered: () => number } {
  let [tests, entered] = [0, 0];
  return {
    tests: () => tests,
    entered: () => entered,
    test: async () => {
      tests += 1;
      return end();
    },
    enter: async () => {
      entered += 1;
      return {
        file: "true",
        args: [],
        environment: {},
        descriptors: [],
        finish: async () => ({ runsLater: [], quarantined: [], refusedHosts: [] }),
      };
    },
    endSession: async () => undefined,
  };
}

function situation(): TestSituation {
  const folder = mkdtempSync(join(tmpdir(), "capstan-remembered-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "bwrap"), "one");
  return { file: join(folder, "passed"), searchPath: folder, options: { home: "/home/me" } };
}

test("a start after a passed self-test does not wait for one; the first command does", async () => {
  const place = situation();
  expect(
    await rememberingTest(
      counting(() => enforced),
      place,
    ).test(),
  ).toEqual(enforced);
  const sandbox = counting(() => enforced);
  const next = rememberingTest(sandbox, place);
  expect([await next.test(), sandbox.tests()]).toEqual([enforced, 0]);
  await next.enter(request);
  await next.enter(request);
  expect([sandbox.tests(), sandbox.entered()]).toEqual([1, 2]);
});

test("what passed before and fails now runs nothing, and the next start tests again", async () => {
  const place = situation();
  await rememberingTest(
    counting(() => enforced),
    place,
  ).test();
  const broken = counting(() => ({ type: "partial", lacks: ["mount"] }));
  const next = rememberingTest(broken, place);
  await next.test();
  await expect(next.enter(request)).rejects.toMatchObject({ code: "sandbox.failed" });
  expect(broken.entered()).toBe(0);
  expect(await rememberingTest(broken, place).test()).toMatchObject({ type: "partial" });
});

test.each<[string, (place: TestSituation) => TestSituation]>([
  ["another bubblewrap", (place) => (writeFileSync(join(place.searchPath, "bwrap"), "another"), place)],
  ["another home", (place) => ({ ...place, options: { home: "/home/you" } })],
  ["another search path", (place) => ({ ...place, searchPath: `${tmpdir()}:${place.searchPath}` })],
  ["a damaged note", (place) => (writeFileSync(place.file, "enforced\n"), place)],
])("%s is tested again", async (_name, change) => {
  const place = situation();
  await rememberingTest(
    counting(() => enforced),
    place,
  ).test();
  const sandbox = counting(() => enforced);
  await rememberingTest(sandbox, change(place)).test();
  expect(sandbox.tests()).toBe(1);
});

test("only a good end is remembered", async () => {
  const place = situation();
  const none = counting(() => ({ type: "none", reason: "no bubblewrap" }));
  await rememberingTest(none, place).test();
  await rememberingTest(none, place).test();
  expect(none.tests()).toBe(2);
});
