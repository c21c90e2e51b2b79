import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { keepResult } from "../../src/catalog/keep-result.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-keep-result-"));

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a result is kept whole, for its owner alone, in a file that follows from its call, whatever the call's id is", async () => {
  const place = join(folder, "session-1");
  const path = await keepResult(place, "../../etc/passwd", "first");
  expect(path.startsWith(`${place}/result-`)).toBe(true);
  expect(await keepResult(place, "../../etc/passwd", "the whole of it")).toBe(path);
  expect(await keepResult(place, "another", "other")).not.toBe(path);
  expect(readFileSync(path, "utf8")).toBe("the whole of it");
  expect([statSync(path).mode & 0o777, statSync(place).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readdirSync(place)).toHaveLength(2);
});
