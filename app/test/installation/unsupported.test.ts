import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unsupported } from "../../src/installation/unsupported.ts";

test.each(["20.19.0", "20.20.2", "22.0.0", "24.21.0", "100.1.0"])(
  "Node %s runs Capstan, on Linux and macOS",
  (node) => {
    expect([unsupported("linux", node), unsupported("darwin", node)]).toEqual([undefined, undefined]);
  },
);

test.each(["18.20.8", "20.18.3", "16.0.0"])("Node %s is refused, with what to do", (node) => {
  expect(unsupported("linux", node)).toMatch(new RegExp(`needs Node 20\\.19 or later, and this is ${node}\\. Install`));
});

test("other platforms are named, and Windows is sent to WSL", () => {
  expect(unsupported("freebsd", "22.0.0")).toBe("Capstan runs on Linux and macOS, and this is freebsd.");
  expect(unsupported("win32", "22.0.0")).toContain("Install it in WSL");
});

test("the oldest version is the one that the packages ask for", () => {
  const root = join(import.meta.dirname, "../../..");
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node) ?? [];
  expect(unsupported("linux", `${major}.${minor}.0`)).toBeUndefined();
  expect(unsupported("linux", `${major}.${Number(minor) - 1}.9`)).toContain(`${major}.${minor} or later`);
});
