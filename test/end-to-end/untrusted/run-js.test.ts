import { slowTest } from "@capstan/testkit";
import { expect } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf, toolNames } from "../stage/read-request.ts";

const place = usePlace();
const js = (code: string): { name: string; arguments: { code: string } } => ({ name: "run_js", arguments: { code } });

slowTest(
  "JavaScript is found, runs unasked and twice in one answer, ends with a clear error, and after a kill it runs again in the next process",
  async () => {
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [{ name: "search_tools", arguments: { query: "javascript" } }] },
      { tool_calls: [js("globalThis.n = 6; n * 7"), js("typeof n"), js("require('node:fs')")] },
      { text: "done" },
      { tool_calls: [js("while (true);")] },
      { text: "after" },
      { text: "end" },
    ]);
    const first = await stage.run(["--output-format", "json", "go"]);
    expect(parseResult(first)).toMatchObject({ outcome: "done", text: "done" });
    const [opening, , third] = stage.exchanges;
    expect(opening === undefined ? [] : toolNames(opening)).not.toContain("run_js");
    expect(resultsOf(third).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^42/),
      expect.stringMatching(/^undefined/),
      expect.stringContaining("RUNTIME_ERROR: ReferenceError"),
    ]);
    const running = stage.start(["--output-format", "stream-json", "--continue", "continue"]);
    await running.stdoutMatches(/"tool-started"/);
    running.kill("SIGKILL");
    await running.ended;
    const last = await stage.run(["--output-format", "json", "--continue", "continue"]);
    expect(parseResult(last)).toMatchObject({ outcome: "done" });
    expect(JSON.stringify(stage.exchanges.map(({ body }) => body))).toContain("TIMEOUT: it ran longer than 2000 ms");
  },
);
