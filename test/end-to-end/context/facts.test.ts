import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Exchange } from "@capstan/rehearsal";
import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { type Place, type Stage, usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";
import { messagesOf, resultsOf } from "../stage/read-request.ts";

const place = usePlace();

function at(stage: Pick<Stage, "exchanges">, index: number): Exchange {
  const exchange = stage.exchanges[index];
  if (exchange === undefined) throw new Error(`there is no request ${index}`);
  return exchange;
}

/** What is remembered, in its words. */
async function known(here: Place, ...words: readonly string[]): Promise<readonly string[]> {
  return parseLines(await here.run(["facts", "list", "--json", ...words])).map(({ text }) => String(text));
}

overWires("over %s", (wire, test, slowTest) => {
  test("what a user asked to be remembered is shown to the next session, and no more once it is forgotten", async () => {
    const stage = await place.rehearse(wire, [{ text: "One." }, { text: "Two." }, { text: "Three." }]);
    const added = await place.run(["facts", "add", "We deploy on", "Fridays."]);
    expect([added.code, added.stdout]).toEqual([
      0,
      expect.stringContaining("Remembered in this folder: We deploy on Fridays."),
    ]);
    await stage.run(["Hello."]);
    await stage.run(["Hello again."]);
    const [fact] = parseLines(await place.run(["facts", "--json"]));
    expect((await place.run(["facts", "delete", String(fact?.["id"])])).code).toBe(0);
    await stage.run(["Hello once more."]);
    const texts = stage.exchanges.map((exchange) => JSON.stringify(messagesOf(exchange)));
    expect(texts.map((text) => text.includes("We deploy on Fridays."))).toEqual([true, true, false]);
  });

  slowTest(
    "a session's rules and changed files are facts of the folder, found by words, marked when the file has changed since",
    async () => {
      const stage = await place.rehearse(wire, [
        { tool_calls: [{ name: "write_file", arguments: { path: "tax.js", content: "export const rate = 7;\n" } }] },
        { text: "Written." },
        { tool_calls: [{ name: "recall", arguments: { query: "tax.js rate" } }] },
        { text: "I know." },
      ]);
      await place.run(["facts", "add", "The shop is in Basel."]);
      await stage.run(["Write tax.js. Never round the tax rate in tax.js.", "--permission-mode", "accept-edits"]);
      place.write("tax.js", "export const rate = 8;\n");
      await stage.run(["What about the tax rate of tax.js?"]);
      const request = JSON.stringify(messagesOf(at(stage, 2)));
      expect(request).toContain("Never round the tax rate in tax.js.");
      const [recalled] = resultsOf(stage.exchanges.at(-1));
      expect(recalled?.text).toContain("Never round the tax rate in tax.js.");
      expect(recalled?.text).toMatch(/may be out of date.*tax\.js was created: Write tax\.js/);
      expect(await known(place, "rate")).toContain("Never round the tax rate in tax.js.");
    },
  );

  slowTest("recall finds what was said before a summary, word for word, the second time too", async () => {
    const stage = await place.rehearse(wire, [
      { text: `The staging port is 48213. ${"And so on. ".repeat(40)}` },
      { text: "Fine." },
      { text: "Fine." },
      { text: "A summary that says nothing of it." },
      { tool_calls: [{ name: "recall", arguments: { query: "staging port" } }] },
      { tool_calls: [{ name: "recall", arguments: { query: "staging port", limit: 1 } }] },
      { text: "48213." },
    ]);
    await stage.run(["Where is staging?"]);
    await stage.run(["-c", "Thank you."]);
    await stage.run(["-c", "Thank you again."]);
    const [session] = parseLines(await place.run(["sessions", "list", "--json"]));
    const id = String(session?.["id"]);
    const compacted = await place.run(["sessions", "compact", id], { env: stage.env });
    expect(compacted.code).toBe(0);
    await stage.run(["-c", "Which port was it?"]);
    const results = stage.exchanges.slice(-2).map((exchange) => resultsOf(exchange).at(-1)?.text ?? "");
    for (const text of results) expect(text).toContain("The staging port is 48213.");
  });

  slowTest(
    "a model that remembers something asks first, and stores it once, also when its run is killed and resumed",
    async () => {
      const remember = {
        name: "remember",
        arguments: { content: "The owner likes short answers.", entities: ["style"] },
      };
      const stage = await place.rehearse(wire, [
        { tool_calls: [remember] },
        { text: "Not remembered." },
        { tool_calls: [remember] },
        { text: "Remembered.", first_byte_delay_ms: 30_000 },
        { text: "Remembered." },
      ]);
      const refused = await stage.run(["Remember how I like it."]);
      expect([refused.code, await known(place)]).toEqual([3, []]);
      const running = stage.start(["Remember how I like it.", "--allow", "remember"]);
      await stage.requests(4);
      running.kill("SIGKILL");
      await running.ended;
      const resumed = await stage.run(["-c", "--allow", "remember"]);
      expect([resumed.code, await known(place)]).toEqual([0, ["The owner likes short answers."]]);
    },
  );

  slowTest("where it is turned off nothing is stored, offered or shown", async () => {
    const stage = await place.rehearse(wire, [{ text: "One." }, { text: "Two." }]);
    const off = ["--set", "context.facts=false"];
    await stage.run(["Always answer in English.", ...off]);
    await stage.run(["Answer in English, always.", ...off]);
    expect(JSON.stringify(stage.exchanges[0]?.body)).not.toContain("recall");
    expect(() => readFileSync(join(place.data, "facts.db"))).toThrow("ENOENT");
  });

  slowTest("of a deleted session nothing is found, in the list or in the file", async () => {
    const stage = await place.rehearse(wire, [{ text: "One." }]);
    await stage.run(["Never say xylophone."]);
    expect(await known(place)).toEqual(["Never say xylophone."]);
    const [session] = parseLines(await place.run(["sessions", "list", "--json"]));
    expect((await place.run(["sessions", "delete", String(session?.["id"]), "--yes"])).code).toBe(0);
    expect(await known(place)).toEqual([]);
    expect(readFileSync(join(place.data, "facts.db"), "latin1")).not.toContain("xylophone");
  });
});
