import { expect, test } from "vitest";
import { fitsRange } from "../src/index.ts";

test.for<readonly [range: string, fitting: readonly string[], others: readonly string[]]>([
  ["*", ["0.0.0", "9.9.9"], []],
  [">=0.1 <1", ["0.1.0", "0.99.3"], ["0.0.9", "1.0.0"]],
  [">= 0.1.2", ["0.1.2", "3.0.0"], ["0.1.1"]],
  [">1.2", ["1.3.0"], ["1.2.9", "1.2.0"]],
  ["<=1.2", ["1.2.9", "0.1.0"], ["1.3.0"]],
  ["^1.2", ["1.2.0", "1.9.0"], ["1.1.9", "2.0.0"]],
  ["^0.1.2", ["0.1.2", "0.1.9"], ["0.1.1", "0.2.0"]],
  ["^0.0.3", ["0.0.3"], ["0.0.4", "0.0.2"]],
  ["^0.0", ["0.0.0", "0.0.9"], ["0.1.0"]],
  ["~1.2.3", ["1.2.3", "1.2.9"], ["1.3.0", "1.2.2"]],
  ["~1", ["1.0.0", "1.9.9"], ["2.0.0"]],
  ["1.x", ["1.0.0", "1.5.2"], ["2.0.0", "0.9.0"]],
  ["=1.2.3", ["1.2.3", "1.2.3-beta.1"], ["1.2.4"]],
  ["0.1 || 0.3", ["0.1.5", "0.3.0"], ["0.2.0"]],
])("the range %s holds what npm's would", ([range, fitting, others]) => {
  expect(fitting.filter((version) => !fitsRange(version, range))).toEqual([]);
  expect(others.filter((version) => fitsRange(version, range))).toEqual([]);
});

test("what is no range is said", () => {
  expect(() => fitsRange("1.0.0", "latest")).toThrow('"latest" is no range');
});
