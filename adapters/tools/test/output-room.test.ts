import { expect, test } from "vitest";
import { createGlobTool } from "../src/glob.ts";
import { createReadFileTool } from "../src/read-file.ts";
import { createSearchTool } from "../src/search/search.ts";
import { commandPlace, testOptions } from "./run-command/call-command.ts";
import { outcomeOf, workspaceFixture } from "./workspace-fixture.ts";

/** What the smallest results are made under. */
const small = { outputBytes: 512 };

test("the smallest limits still show the beginning and the end of a command's output, and where the rest is", async () => {
  for (const outputBytes of [256, small.outputBytes]) {
    const { limits } = testOptions("/nowhere");
    const place = commandPlace({ limits: { ...limits, outputBytes } });
    const whole = await place.call({ argv: ["printf", "one\\ntwo\\n"] });
    expect(whole.content).toMatch(/^Exit code: 0 \(.* s\)\none\ntwo\n$/);
    const { content } = await place.call({ argv: ["seq", "1", "1000"] });
    expect(content).toMatch(/^Exit code: 0 .*\n1\n2\n/);
    expect(content).toMatch(/\n\[… \d+ of 3893 bytes left out here; all of it is in .*\.log; .* …\]\n/);
    expect(content).toMatch(/\n999\n1000\n?$/);
  }
});

test("they show lines that match, names that match and lines of a file as well", async () => {
  const standard = workspaceFixture();
  const fixture = workspaceFixture({ limits: { ...standard.options.limits, ...small } });
  for (let at = 100; at < 150; at += 1) fixture.write(`file-${at}.txt`, "a line that matches\n");
  const { options, paths } = fixture;
  const found = outcomeOf(await fixture.call(createSearchTool(options, paths), { pattern: "matches" }));
  expect(found).toMatch(
    /^50 matching lines in 50 files\nfile-100\.txt:1: a line that matches\n[^]*\[shown: \d+ of 50 lines\./,
  );
  const named = outcomeOf(await fixture.call(createGlobTool(options, paths), { pattern: "*.txt" }));
  expect(named).toContain("file-1");
  fixture.write("long.txt", "line\n".repeat(500));
  const read = outcomeOf(await fixture.call(createReadFileTool(options, paths), { path: "long.txt" }));
  expect(read).toMatch(/^ *1\tline\n *2\tline\n[^]*Read on with start_line=\d+/);
});
