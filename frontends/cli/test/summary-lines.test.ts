import { expect, test } from "vitest";
import { gatherResult } from "../src/turn/gather-result.ts";
import { summaryLines } from "../src/summary-lines.ts";
import { turnId } from "./fake-session.ts";

const result = gatherResult(turnId).result("done");
const id = "wxa8hahsof94zzr6i5svb7431k";
const spent = "done · 0 model calls, 0 tokens in, 0 out, $0.0000";

test.each<readonly [string, string, number | undefined, readonly string[]]>([
  ["a file keeps the whole id", id, undefined, [`${spent} · session ${id}`]],
  ["a wide screen, too", id, 90, [`${spent} · session ${id}`]],
  ["a narrower one shows how it begins", id, 80, [`${spent} · session wxa8hahs`]],
  ["a low one has a line more", id, 60, [spent, "session wxa8hahs"]],
  ["a name that somebody chose stays whole", "nightly-build-of-main", 60, [spent, "session nightly-build-of-main"]],
])("%s", (_, sessionId, columns, lines) => {
  expect(summaryLines(result, sessionId, columns)).toEqual(lines);
});
