import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { models, usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";

const place = usePlace();
const turns = 60;

/** A session file of Claude Code: each turn asks, reads a file, and is answered. */
function longSession(): string {
  const lines: string[] = [];
  let last: string | null = null;
  const add = (type: "user" | "assistant", message: object): void => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length).padStart(12, "0")}`;
    const timestamp = new Date(Date.UTC(2026, 0, 1) + 1000 * lines.length).toISOString();
    const where = { cwd: place.workspace, sessionId: "11111111-2222-4333-8444-555555555555", version: "2.0.1" };
    lines.push(JSON.stringify({ parentUuid: last, isSidechain: false, ...where, type, message, uuid, timestamp }));
    last = uuid;
  };
  for (let turn = 0; turn < turns; turn += 1) {
    const id = `toolu_${turn}`;
    const head = { type: "message", role: "assistant", model: "claude-sonnet-4-5" };
    const usage = { input_tokens: 4, cache_read_input_tokens: 900 * turn, output_tokens: 40 };
    add("user", { role: "user", content: turn === 1 ? "You must never touch the harbour." : `Read part ${turn}.` });
    const call = { type: "tool_use", id, name: "Read", input: { file_path: `${place.workspace}/part-${turn}.txt` } };
    add("assistant", { ...head, id: `msg_${turn}a`, content: [call], stop_reason: "tool_use", usage });
    const content = `part ${turn} has a line\n`.repeat(150);
    add("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
    const text = { type: "text", text: `Part ${turn} is read.` };
    add("assistant", { ...head, id: `msg_${turn}b`, content: [text], stop_reason: "end_turn", usage });
  }
  return `${lines.join("\n")}\n`;
}

overWires("over %s", (wire, test) => {
  test("a long session of another agent is imported, fits a small window after one summary, and continues twice", async () => {
    place.write("session.jsonl", longSession());
    const stage = await place.rehearse(wire, [{ text: "Parts were read." }, { text: "On we go." }, { text: "Again." }]);
    const model = ["-m", models[wire]];
    const imported = await place.run(["sessions", "import", "session.jsonl", ...model], { env: stage.env });
    expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining(`${turns} turns`)]);
    const window = (key: string, tokens: number): readonly string[] => [
      "--set",
      `models."${models[wire]}".${key}=${tokens}`,
    ];
    const small = [...window("context_window", 32_000), ...window("max_output_tokens", 2000)];
    const run = await stage.run([...small, "-c", "What is next?"]);
    expect([run.code, run.stdout]).toEqual([0, "On we go.\n"]);
    const sent = JSON.stringify(stage.exchanges.at(-1)?.body);
    expect([sent.includes("Parts were read."), sent.includes("You must never touch the harbour.")]).toEqual([
      true,
      true,
    ]);
    expect((await stage.run([...small, "-c", "And then?"])).stdout).toBe("Again.\n");
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    const made = parseLines(await place.run(["context", "compactions", "--json"])).filter(({ by }) => by === "model");
    expect(made).toHaveLength(1);
  });
});
