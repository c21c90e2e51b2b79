import { expect } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import { headOf, messagesOf } from "./stage/read-request.ts";

const place = usePlace();

/** Of a first request with every tool and the system prompt: what each session pays before a word is said. */
const firstRequestLimitBytes = 12 * 1024;

overWires("over %s", (wire, test, slowTest) => {
  test("the first request with all tools is at most 12 KB", async () => {
    const stage = await place.rehearse(wire, [
      {
        text: "hi",
        expect: { tools: ["read_file", "write_file", "edit_file", "apply_patch", "run_command", "glob", "search"] },
      },
    ]);
    expect((await stage.run(["hello"])).code).toBe(0);
    const bytes = Buffer.byteLength(JSON.stringify(stage.exchanges[0]?.body));
    expect(bytes).toBeLessThanOrEqual(firstRequestLimitBytes);
    expect(Number(stage.exchanges[0]?.headers["content-length"] ?? bytes)).toBeLessThanOrEqual(firstRequestLimitBytes);
  });

  slowTest("in a conversation of ten turns each request begins with the one before it", async () => {
    place.write("note.txt", "hello\n");
    const turns = Array.from({ length: 10 }, (_, index) => [
      {
        text: `Look ${index}.`,
        thinking: "hm",
        tool_calls: [
          { name: "read_file", arguments: { path: "note.txt", start_line: 1, end_line: index + 1 } },
          { name: "write_file", arguments: { path: `made-${index}.txt`, content: "x\n" } },
        ],
      },
      { text: `Answer ${index}.` },
    ]);
    const stage = await place.rehearse(wire, turns.flat());
    for (const index of turns.keys()) {
      // Files change between the turns, and so does what git or a clock would say.
      place.write(`between-${index}.txt`, String(index));
      await stage.run([...(index === 0 ? [] : ["--continue"]), "--allow", "write_file", `Question ${index}`]);
    }
    expect(stage.exchanges.map((exchange) => exchange.status)).toEqual(turns.flat().map(() => 200));
    const requests = stage.exchanges.map((exchange) => messagesOf(exchange).map((message) => JSON.stringify(message)));
    for (const [index, request] of requests.slice(1).entries()) {
      const before = requests[index] ?? [];
      expect(request.slice(0, before.length)).toEqual(before);
    }
    const heads = new Set(stage.exchanges.map((exchange) => JSON.stringify(headOf(exchange))));
    expect(heads.size).toBe(1);
  });
});
