import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";
import { linesOf } from "../stage/read-output.ts";

const place = usePlace();
const shown = [
  "--set",
  'context.include=["src/**", "*.env", "top.md"]',
  "--set",
  "context.max_shown_bytes=2000",
  "--set",
  'bundles.api.title="The public API:"',
  "--set",
  'context.templates=["conventions", "gone"]',
  "--set",
  'templates.gone.file="gone.md"',
  "--set",
  'templates.conventions.text="In {{ project }} we write {{ language }}."',
  "--set",
  'templates.conventions.variables.language="Ada"',
  "--set",
  'bundles.api.include=["api/*.txt", "top.md"]',
];

function files(): void {
  place.write(".gitignore", "src/made/\n");
  place.write("src/a.ts", "export const tide = 1;\n");
  place.write("src/big.ts", "// long\n".repeat(1000));
  place.write("src/made/out.ts", "made by a build\n");
  place.write("src/quoted.md", "```ts\n````\nend of quotes\n");
  place.write("key.env", "TOKEN=never-shown\n");
  place.write("top.md", "The top.\n");
  place.write("api/one.txt", "one() is public\n");
  writeFileSync(join(place.workspace, "src", "pixel.png"), Buffer.from("89504e470d0a1a0a00000000", "hex"));
}

overWires("over %s", (wire, test) => {
  test("files that are named by globs and bundles are shown once, again when they change, and what is left out is a record with its size and reason", async () => {
    files();
    const stage = await place.rehearse(wire, [{ text: "one" }, { text: "two" }, { text: "three" }]);
    const first = await stage.run([...shown, "--output-format", "stream-json", "Look."]);
    expect(first.code).toBe(0);
    const sent = (at: number): string => JSON.stringify(stage.exchanges[at]?.body);
    for (const text of ["export const tide = 1;", "end of quotes", "The public API:", "one() is public", "The top."])
      expect(sent(0).split(text)).toHaveLength(2);
    for (const text of ["never-shown", "made by a build", "// long"]) expect(sent(0)).not.toContain(text);
    const parts = linesOf(first, "context-packed").flatMap(({ parts: each }) => (Array.isArray(each) ? each : []));
    expect(parts).toContainEqual({
      name: "file src/big.ts",
      text: "",
      refused: { bytes: 8000, reason: expect.stringMatching(/^\d+ of 2000 bytes are left$/) },
    });
    expect(parts).toContainEqual({
      name: "file src/pixel.png",
      text: "",
      refused: { bytes: 12, reason: "it is no text: PNG image" },
    });
    expect(sent(0)).toContain(`In ${basename(place.workspace)} we write Ada.`);
    const refused = { bytes: 0, reason: expect.stringContaining("ENOENT: no such file or directory") };
    expect(parts).toContainEqual({ name: "template gone", text: "", refused });
    await stage.run([...shown, "-c", "Again."]);
    expect(sent(1).split("export const tide = 1;")).toHaveLength(2);
    place.write("src/a.ts", "export const tide = 2;\n");
    const third = await stage.run([...shown, "--output-format", "stream-json", "-c", "And now?"]);
    const changed = linesOf(third, "context-packed").flatMap(({ parts: each }) => (Array.isArray(each) ? each : []));
    expect(changed.map(({ name }) => name)).toEqual(["file src/a.ts"]);
    expect(sent(2)).toContain("export const tide = 2;");
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  });
});
