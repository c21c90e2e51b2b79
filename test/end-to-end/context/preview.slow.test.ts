import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";

const place = usePlace();

overWires("over %s", (wire, test) => {
  test("a preview shows the next request as it would be sent, and what takes most of its room", async () => {
    place.write("a.txt", "a.txt has a line\n".repeat(300));
    const stage = await place.rehearse(wire, [
      { tool_calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
      { text: "It is read." },
      { text: "Nothing else." },
    ]);
    await stage.run(["Read a.txt, please."]);
    const preview = await place.run(["context", "preview"]);
    expect([preview.code, preview.stderr]).toEqual([0, ""]);
    for (const words of ["Read a.txt, please.", "[calls ", "a.txt has a line", "It is read."])
      expect(preview.stdout).toContain(words);
    const [request] = parseLines(await place.run(["context", "preview", "--json"]));
    expect(request).toMatchObject({ messages: expect.any(Array), tools: expect.any(Array) });
    const shown = await place.run(["context", "show"]);
    expect(shown.stdout).toMatch(/\d %  tool results, 1 result/);
    expect(shown.stdout).toMatch(/\d %  tools, \d+ tools/);
    const { code } = await stage.run(["-c", "And now?"]);
    expect([code, (await place.run(["context", "preview"])).stdout.includes("And now?")]).toEqual([0, true]);
  });
});
