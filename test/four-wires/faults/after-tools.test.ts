import { inTurn } from "@capstan/testkit";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { usePlace } from "../../end-to-end/stage/place.ts";
import { parseResult } from "../../end-to-end/stage/read-output.ts";
import { allAt, modelOf, settingsFor, talk, vendors } from "../talk.ts";

const place = usePlace();

const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
const failing = { fault: { type: "http", status: 500, times: 2 } };

test.for(inTurn(vendors, "after tools"))(
  "a turn that fails after tools ran keeps what happened, and continues: %s",
  async (vendor) => {
    const server = await rehearse([
      {
        thinking: "Two things.",
        text: "Both.",
        tool_calls: [write, { name: "read_file", arguments: { path: "b.txt" } }],
      },
      { text: "It continues.", ...failing },
    ]);
    const talking = await talk(place, { addresses: allAt(server.url), vendor, sets: ["retry.max_attempts=2"] });
    const failed = await talking.say("first words");
    const kept = { type: "turn-ended", outcome: "provider-failed", rolledBack: false };
    expect(failed.at(-1)).toMatchObject(kept);
    expect(failed.at(-1)).not.toHaveProperty("draft");
    expect(place.read("made.txt")).toBe("made\n");
    expect((await talking.say("second words")).at(-1)).toMatchObject({ outcome: "done" });
    expect(server.exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    const last = JSON.stringify(server.exchanges.at(-1)?.body);
    expect(["first words", "second words", "made.txt"].filter((words) => !last.includes(words))).toEqual([]);
  },
);

test.for(inTurn(vendors, "handed back"))(
  "the binary ends with 5 and hands the words back, and the session continues: %s",
  async (vendor) => {
    const server = await rehearse([{ text: "Again.", ...failing }]);
    const sets = [...settingsFor(allAt(server.url)), "retry.max_attempts=2"].flatMap((set) => ["--set", set]);
    const args = ["run", "-m", modelOf[vendor], "--output-format", "json", ...sets];
    const failed = await place.run([...args, "first words"]);
    const error = { code: "provider.http", message: expect.stringContaining("answered 500") };
    const draft = "first words";
    expect(failed.code).toBe(5);
    expect(parseResult(failed)).toMatchObject({ outcome: "provider-failed", exitCode: 5, draft, text: "", error });
    const passed = await place.run([...args, "--continue", "second words"]);
    expect(parseResult(passed)).toMatchObject({ outcome: "done", exitCode: 0, text: "Again." });
    expect(server.exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(JSON.stringify(server.exchanges.at(-1)?.body)).not.toContain("first words");
  },
);

async function rehearse(turns: readonly object[]): Promise<Rehearsal> {
  place.write("b.txt", "beta\n");
  const scenario = parseScenario(JSON.stringify({ name: "after tools", turns }), "after-tools.json");
  const server = await startRehearsal({ scenario });
  onTestFinished(() => server.close());
  return server;
}
