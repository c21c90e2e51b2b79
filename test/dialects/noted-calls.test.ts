import { expect } from "vitest";
import { overWires } from "../end-to-end/stage/over-wires.ts";
import { usePlace } from "../end-to-end/stage/place.ts";
import { resultsOf } from "../end-to-end/stage/read-request.ts";

const place = usePlace();

const patch = "*** Begin Patch\n*** Update File: note.txt\n@@\n-two\n+2\n*** Add File: new.txt\n+x\n*** End Patch";

function shell(command: string | readonly string[]): object {
  return { tool_calls: [{ name: "shell", arguments: { command } }] };
}

overWires("over %s", (wire, test) => {
  test("what was left out of a call is reported with its result", async () => {
    place.write("note.txt", "one\n");
    const args = { path: "note.txt", explanation: "to see it" };
    const stage = await place.rehearse(wire, [
      { tool_calls: [{ name: "read_file", arguments: args }] },
      { text: "Done." },
    ]);
    expect((await stage.run(["go"])).code).toBe(0);
    const [result] = resultsOf(stage.exchanges[1]);
    expect(result?.text).toContain("one");
    expect(result?.text).toContain("[Note: read_file has no explanation: left out.]");
  });

  test("a patch in a shell's call is judged and run as a patch", async () => {
    place.write("note.txt", "one\ntwo\n");
    const stage = await place.rehearse(wire, [
      shell(["apply_patch", patch]),
      shell(`apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: new.txt\n*** End Patch\nEOF`),
      { text: "Done." },
    ]);
    // The shell itself is denied: only files may be changed.
    const run = await stage.run(["--deny", "run_command", "--allow", "apply_patch", "go"]);
    expect(run.code).toBe(0);
    expect(place.read("note.txt")).toBe("one\n2\n");
    expect(place.has("new.txt")).toBe(false);
    expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("A new.txt\nM note.txt");
  });
});
