import { readFileSync, statSync } from "node:fs";
import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { models, usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();

const read = (path: string): object => ({ tool_calls: [{ name: "read_file", arguments: { path } }] });
const tooLong = { type: "http", status: 400, message: "prompt is too long: 213462 tokens > 200000 maximum" };

function files(...names: readonly string[]): void {
  for (const name of names) place.write(name, `${name} begins\n${`${name} has a line\n`.repeat(500)}`);
}

overWires("over %s", (wire, test, slowTest) => {
  const window = (tokens: number): readonly string[] => [
    "--set",
    `models."${models[wire]}".context_window=${tokens}`,
    "--set",
    `models."${models[wire]}".max_output_tokens=2000`,
  ];

  slowTest(
    "a vendor says that the conversation is too long: it is summarised and sent again in the same turn",
    async () => {
      files("a.txt", "b.txt", "c.txt", "d.txt");
      const stage = await place.rehearse(wire, [
        read("a.txt"),
        read("b.txt"),
        read("c.txt"),
        read("d.txt"),
        { text: "So far four files were read.", fault: tooLong },
        { text: "All four files are fine." },
        { text: "Nothing is new." },
      ]);
      const run = await stage.run(["--yolo", "Read the four files. You must never change them."]);
      expect([run.code, run.stdout]).toEqual([0, "All four files are fine.\n"]);
      expect(run.stderr).toContain("Summarising older messages");
      const last = JSON.stringify(stage.exchanges.at(-1)?.body);
      expect(last).toContain("So far four files were read.");
      expect(last).toContain("THE REQUEST YOU ARE WORKING ON: Read the four files. You must never change them.");
      expect(last).not.toContain("a.txt has a line");
      // Five answers and the summary: a turn that waited for a summary paid for it.
      expect(run.stderr).toContain("done · 6 model calls, ");
      const again = await stage.run(["-c", "What is new?"]);
      expect([again.code, again.stdout]).toEqual([0, "Nothing is new.\n"]);
      expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("You must never change them.");
      expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toHaveLength(0);
    },
  );

  test("a request that would not fit is not sent: older messages are summarised first", async () => {
    files("a.txt", "b.txt", "c.txt", "d.txt");
    const stage = await place.rehearse(wire, [
      read("a.txt"),
      read("b.txt"),
      { ...read("c.txt"), usage: { input: 13_900, output: 20 } },
      { text: "A and b were read." },
      { text: "Done." },
    ]);
    const run = await stage.run([...window(16_000), "--yolo", "--output-format", "stream-json", "Read the files."]);
    expect(run.code).toBe(0);
    expect(parseLines(run)).toContainEqual(expect.objectContaining({ type: "compaction-started", reason: "budget" }));
    expect(stage.exchanges).toHaveLength(5);
  });

  slowTest(
    "in a window that is nearly full the summary is made beside the turn, and shown when it is needed, by whichever process is there",
    async () => {
      files("a.txt", "b.txt", "c.txt");
      // Summary and answer are one text: which of two requests comes first is a matter of luck.
      const answer = { text: "All three were read.", usage: { input: 13_500, output: 20 } };
      const stage = await place.rehearse(wire, [
        read("a.txt"),
        read("b.txt"),
        { ...read("c.txt"), usage: { input: 10_000, output: 20 } },
        ...Array.from({ length: 6 }, () => answer),
      ]);
      const flags = [...window(16_000), "--yolo", "--output-format", "stream-json"];
      const first = parseLines(await stage.run([...flags, "Read the three files."]));
      expect(first).toContainEqual(expect.objectContaining({ type: "summary-started", model: models[wire] }));
      expect(first.at(-1)).toMatchObject({ outcome: "done" });
      expect(first.map(({ type }) => type)).not.toContain("compaction-started");
      expect(JSON.stringify(stage.exchanges.at(3)?.body)).not.toContain("[Summary of the conversation so far]");
      const second = parseLines(await stage.run([...flags, "-c", "And now?"]));
      expect(second.at(-1)).toMatchObject({ outcome: "done" });
      // It stood ready, or the turn waited for it: the process that asked for it had ended.
      const chosen = second.filter(({ type }) => type === "compaction-selected" || type === "compaction-completed");
      expect(chosen).toHaveLength(1);
      expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("[Summary of the conversation so far]");
      expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    },
  );

  slowTest(
    "killed while the summary is made, twice: it is made again, and the turn continues where it was",
    async () => {
      files("a.txt", "b.txt", "c.txt");
      // Summary and answer are one text: whether a killed process had sent its request is a matter of luck.
      const slow = { text: "All is read.", first_byte_delay_ms: 800 };
      const stage = await place.rehearse(wire, [
        read("a.txt"),
        read("b.txt"),
        { ...read("c.txt"), usage: { input: 13_900, output: 20 } },
        slow,
        slow,
        slow,
        slow,
      ]);
      const killed = async (args: readonly string[]): Promise<void> => {
        const running = stage.start([...window(16_000), "--yolo", "--output-format", "stream-json", ...args]);
        await running.stdoutMatches(/"compaction-started"/);
        running.kill("SIGKILL");
        await running.ended;
      };
      await killed(["Read the files."]);
      await killed(["--continue"]);
      const run = await stage.run([...window(16_000), "--yolo", "--continue"]);
      expect([run.code, run.stdout]).toEqual([0, "All is read.\n"]);
      expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("[Summary of the conversation so far]");
      expect(resultsOf(stage.exchanges.at(-1)).map(({ text }) => text.includes("c.txt has a line"))).toContain(true);
      expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    },
  );

  slowTest("one result that fills the window is shown by its beginning and its end", async () => {
    place.write("big.txt", `it begins\n${"a line of the big file\n".repeat(2000)}it ends\n`);
    const stage = await place.rehearse(wire, [read("big.txt"), { text: "Read." }]);
    const run = await stage.run([...window(12_000), "--yolo", "--output-format", "json", "Read big.txt"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done" });
    const text = resultsOf(stage.exchanges.at(-1))[0]?.text ?? "";
    expect(text).toContain("it begins");
    expect(text).toMatch(/\d+ characters of this are not shown/);
  });

  test("what is not shown of it is in a file that the model reads in parts, without asking, also in the next process", async () => {
    place.write("big.txt", Array.from({ length: 2000 }, (_, at) => `line ${at} of the big file\n`).join(""));
    const stage = await place.rehearse(wire, [read("big.txt"), { text: "Read." }]);
    const run = await stage.run([...window(12_000), "--output-format", "json", "Read big.txt"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done" });
    const path =
      /All of it is in (\S+): read it in parts/.exec(resultsOf(stage.exchanges.at(-1))[0]?.text ?? "")?.[1] ?? "";
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toContain("line 1000 of the big file");
    const part = { name: "read_file", arguments: { path, offset: 1000, limit: 3 } };
    const next = await place.rehearse(wire, [{ tool_calls: [part] }, { text: "Line 1000 is there." }]);
    const again = await next.run([...window(12_000), "-c", "What does line 1000 say?"]);
    expect([again.code, again.stdout]).toEqual([0, "Line 1000 is there.\n"]);
    expect(resultsOf(next.exchanges.at(-1)).at(-1)?.text).toContain("line 1000 of the big file");
  });

  slowTest("where nothing can be left out, the turn ends with the vendor's words and what to do", async () => {
    const stage = await place.rehearse(wire, [{ text: "never", fault: { ...tooLong, times: 9 } }]);
    const run = await stage.run(["hello"]);
    expect(run.code).toBe(5);
    expect(run.stderr).toContain("a model with a larger window");
  });

  slowTest(
    "capstan sessions compact summarises on request, shows what stands in for the messages, and says when there is nothing",
    async () => {
      const stage = await place.rehearse(wire, [
        { text: "one" },
        { text: "two" },
        { text: "three" },
        { text: "The user counted to three." },
        { text: "four" },
      ]);
      await stage.run(["Count with me. Never skip a number."]);
      await stage.run(["-c", "next"]);
      await stage.run(["-c", "next"]);
      const id = String(parseLines(await place.run(["sessions", "list", "--json"]))[0]?.["id"]);
      const compacted = await place.run(["sessions", "compact", id], { env: stage.env });
      expect([compacted.code, compacted.stdout]).toEqual([0, expect.stringContaining("The user counted to three.")]);
      expect(compacted.stdout).toContain("constraint: Never skip a number.");
      expect(compacted.stdout).toContain("stands in for the first 2 messages");
      const shown = await place.run(["context", "show", id], { env: stage.env });
      expect(shown.stdout).toContain("Messages  6: the first 2 as a summary");
      expect(shown.stdout).toContain("The user counted to three.");
      const report = parseLines(await place.run(["context", "show", "--json"], { env: stage.env }))[0];
      expect(report).toMatchObject({ messages: 6, summaries: [{ messageCount: 2, isShown: true }], isCounted: false });
      const again = await place.run(["sessions", "compact", id], { env: stage.env });
      expect([again.code, again.stdout]).toEqual([1, ""]);
      expect(again.stderr).toContain("There is nothing to summarise yet.");
      expect((await stage.run(["-c", "next"])).stdout).toBe("four\n");
      expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("The user counted to three.");
    },
  );
});
