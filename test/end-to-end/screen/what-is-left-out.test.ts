import { sampled } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();
/** More than a search looks into by itself. */
const largeBytes = 2_100_000;

test("a search says which files it left out, also where it found nothing, and searches one that is named", async () => {
  place.write("big.txt", `needle\n${"x".repeat(largeBytes)}\n`);
  place.write("small.txt", "straw\n");
  const calls = [{ pattern: "needle" }, { pattern: "straw" }, { pattern: "needle", path: "big.txt" }];
  const stage = await place.rehearse("anthropic", [
    { tool_calls: calls.map((args) => ({ name: "search", arguments: args })) },
    { text: "so" },
  ]);
  expect((await stage.run(["go"])).code).toBe(0);
  const [missed, found, named] = resultsOf(stage.exchanges[1]).map(({ text }) => text);
  const leftOut = "[not searched: 1 file above 2 MB (big.txt). A large file is searched when path names it.]";
  expect(missed).toBe(`Nothing found where it was searched: needle (in .)\n${leftOut}`);
  expect(found).toMatch(/^1 matching line in 1 file\nsmall\.txt:1.*straw\n/);
  expect(found).toContain(leftOut);
  expect(named).toMatch(/^1 matching line in 1 file\n.*needle/);
});

test.each(sampled([256, 512], 1))(
  "with %i bytes of output, every tool still shows some of what it found",
  async (bytes) => {
    place.write("long.txt", Array.from({ length: 200 }, (_, at) => `line ${at} of it`).join("\n"));
    const stage = await place.rehearse("anthropic", [
      {
        tool_calls: [
          { name: "search", arguments: { pattern: "of it" } },
          { name: "read_file", arguments: { path: "long.txt" } },
          { name: "run_command", arguments: { command: "cat long.txt" } },
          { name: "glob", arguments: { pattern: "**/*" } },
        ],
      },
      { text: "so" },
    ]);
    const run = await stage.run(["--set", `tools.output.max_bytes=${bytes}`, "go"]);
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    const [search = "", read = "", command = "", glob = ""] = resultsOf(stage.exchanges[1]).map(({ text }) => text);
    expect([search, read, command]).toEqual([
      expect.stringContaining("line 0 of it"),
      expect.stringContaining("line 0 of it"),
      expect.stringContaining("line 199 of it"),
    ]);
    expect(glob).toContain("long.txt");
  },
);
