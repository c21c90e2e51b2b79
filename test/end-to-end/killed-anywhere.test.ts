import { sampled } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { wires, usePlace } from "./stage/place.ts";
import { parseResult } from "./stage/read-output.ts";

const place = usePlace();

const streamJson = ["--output-format", "stream-json"];
const json = ["--output-format", "json"];

/** Lines of stream-json after which the process is killed: from before the first to after the last of the turn below. */
const killPoints = Array.from({ length: 34 }, (_, index) => index);

/** One effect of each kind, reads beside it, and text between. */
const turns = [
  { thinking: "hm", text: "I look.", tool_calls: [{ name: "read_file", arguments: { path: "note.txt" } }] },
  {
    text: "I change.",
    tool_calls: [
      { name: "run_command", arguments: { command: "echo ran >> effects.log; echo out" } },
      { name: "edit_file", arguments: { path: "note.txt", old_string: "hello", new_string: "hello, hello" } },
      { name: "glob", arguments: { pattern: "*.txt" } },
    ],
  },
  { text: "Changed." },
  { text: "Spare." },
  { text: "Spare." },
  { text: "Spare." },
];

describe("killed after any line", () => {
  test.for(sampled(killPoints, 2))(
    "line %i: every later request is valid, and no effect happens twice",
    async (line) => {
      place.write("note.txt", "hello\n");
      const stage = await place.rehearse(wires[line % wires.length] ?? "anthropic", turns);
      const running = stage.start([...streamJson, "--yolo", "--session-id", "killed", "go"]);
      await running.stdoutMatches({ test: (text) => text.split("\n").length > line }).catch(() => undefined);
      running.kill("SIGKILL");
      await running.ended;
      const again = [...json, "--yolo", "--on-unknown", "tell-model"];
      const resumed = await stage.run([...again, "--resume", "killed", "continue"]);
      // Killed before anything was reported: there is no session, and nothing was done.
      const run = resumed.code === 2 ? await stage.run([...again, "continue"]) : resumed;
      expect(resumed.code === 2 && line > 1).toBe(false);
      expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
      expect(parseResult(run)).toMatchObject({ outcome: "done", exitCode: 0 });
      expect(["", "ran\n"]).toContain(place.has("effects.log") ? place.read("effects.log") : "");
      expect(["hello\n", "hello, hello\n"]).toContain(place.read("note.txt"));
    },
  );
});
