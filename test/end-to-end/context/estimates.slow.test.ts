import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalRecord } from "@capstan/protocol";
import { fold, requestTokens } from "@capstan/session";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";

const place = usePlace();
const turns = 16;
/** From this turn on a guess has been corrected often enough. */
const learnedAfter = 10;
const mostError = 0.05;
const root = join(import.meta.dirname, "..", "..", "..");

/** Code, prose and other people's words, as they are read in real work. */
const texts: readonly string[] = ["core/engine/src/turn", "docs", "frontends/tui/src/cells", "catalog/src"].flatMap(
  (folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /\.(ts|md)$/.test(name))
      .slice(0, 12)
      .map((name) => readFileSync(join(root, folder, name), "utf8").slice(0, 12_000)),
);

overWires("over %s", (wire, test) => {
  test("after ten turns what the engine guesses of a request is within 5 % of what a real tokenizer counts", async () => {
    const answers = Array.from({ length: turns }, (_, at) => {
      const paths = [0, 1, 2].map((each) => `file-${at}-${each}.txt`);
      for (const [each, path] of paths.entries()) place.write(path, texts[(3 * at + each) % texts.length] ?? "");
      const calls = paths.map((path) => ({ name: "read_file", arguments: { path } }));
      return [
        { text: `Reading part ${at}.`, tool_calls: calls },
        { text: `Part ${at} is about its subject. ${"It says what it says. ".repeat(at)}` },
      ];
    }).flat();
    const stage = await place.rehearse(wire, answers, countTokens);
    for (let turn = 0; turn < turns; turn += 1) {
      const run = await stage.run(["--yolo", ...(turn === 0 ? [] : ["-c"]), `Please read part ${turn}.`]);
      expect(run.code).toBe(0);
    }
    const [id] = (await place.run(["sessions", "list", "--json"])).stdout.match(/(?<="id":")[^"]+/) ?? [];
    await place.run(["sessions", "export", id ?? "", "-o", "session.jsonl"]);
    const records = readFileSync(join(place.workspace, "session.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line): { record?: JournalRecord } => JSON.parse(line))
      .flatMap(({ record }) => record ?? []);
    const errors = records.flatMap((record, at) => {
      if (record.type !== "step-completed") return [];
      const state = fold(records.slice(0, at));
      if (state.config === null || state.turnIds.length <= learnedAfter) return [];
      return [requestTokens(state, state.config.model) / record.usage.inputTokens - 1];
    });
    expect(errors.length).toBeGreaterThan(8);
    expect(Math.max(...errors.map(Math.abs))).toBeLessThanOrEqual(mostError);
  });
});
