import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import { messagesOf } from "./stage/read-request.ts";

const place = usePlace();

/** One white pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const paper = Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n");

overWires("over %s", (wire, test) => {
  test("an image, a PDF and a text go to the model with the prompt, in this turn and in every later one", async () => {
    for (const [name, content] of Object.entries({ "pixel.png": pixel, "paper.pdf": paper, "notes.md": "# Notes\n" })) {
      writeFileSync(join(place.folder, name), content);
    }
    const stage = await place.rehearse(wire, [{ text: "I see." }, { text: "Still." }]);
    const files = ["pixel.png", "paper.pdf", "notes.md"].flatMap((name) => ["--attach", join(place.folder, name)]);
    expect((await stage.run([...files, "what is this?"])).stdout).toBe("I see.\n");
    expect((await stage.run(["--continue", "and now?"])).stdout).toBe("Still.\n");
    expect(stage.exchanges.map((exchange) => exchange.problem ?? "accepted")).toEqual(["accepted", "accepted"]);
    for (const exchange of stage.exchanges) {
      const sent = JSON.stringify(messagesOf(exchange));
      for (const content of [pixel, paper]) expect(sent).toContain(content.toString("base64"));
      expect(sent).toContain("# Notes");
    }
  });
});

test("a file that is not there stops the run before anything is asked", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  const run = await stage.run(["--attach", "missing.png", "what is this?"]);
  expect([run.code, stage.exchanges.length]).toEqual([2, 0]);
  expect(run.stderr).toContain("missing.png cannot be read");
});
