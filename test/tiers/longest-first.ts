/** Which test files start first. */
import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A limit of five minutes and more, as tests write it. */
const longLimit = /\b(?:[3-9]\d\d|[1-9](?:_\d{3}|\d{3}))_000\b|\* 60_000\b/;

/** Whether a test file asks for more time than tests usually have. */
export function asksForTime(text: string): boolean {
  return longLimit.test(text);
}

/** Those that ask for more time come first: one of them that starts last keeps the tier waiting while the other workers are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not an array's
    const sorted = await super.sort(files);
    const isLong = new Map(sorted.map((file) => [file, asksForTime(readFileSync(file.moduleId, "utf8"))]));
    return [...sorted.filter((file) => isLong.get(file)), ...sorted.filter((file) => !isLong.get(file))];
  }
}
