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

overWires("over %s", (wire, test, slowTest) => {
  slowTest(
    "an image, a PDF and a text go to the model with the prompt, in this turn and in every later one",
    async () => {
      for (const [name, content] of Object.entries({
        "pixel.png": pixel,
        "paper.pdf": paper,
        "notes.md": "# Notes\n",
      })) {
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
    },
  );
});

test("a file that is not there stops the run before anything is asked", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  const run = await stage.run(["--attach", "missing.png", "what is this?"]);
  expect([run.code, stage.exchanges.length]).toEqual([2, 0]);
  expect(run.stderr).toContain("missing.png cannot be read");
});

test("a file that the prompt names with @ goes along with it, in a second prompt too, and what is piped in names none", async () => {
  place.write("notes.md", "# Mine\n");
  place.write("other.md", "# Others\n");
  const stage = await place.rehearse("anthropic", [{ text: "Read." }, { text: "Read." }]);
  const first = await stage.run(["what is in @notes.md? See @gone.md, too"], { input: "see @other.md" });
  expect([first.code, first.stdout]).toEqual([0, "Read.\n"]);
  expect(first.stderr).toContain("capstan: @gone.md names no file here; it stays a word");
  await stage.run(["-c", "and @other.md"]);
  const sent = stage.exchanges.map((exchange) => JSON.stringify(messagesOf(exchange)));
  expect(sent.map((text) => [text.includes("# Mine"), text.includes("# Others")])).toEqual([
    [true, false],
    [true, true],
  ]);
  expect(sent[0]).toContain("what is in @notes.md? See @gone.md, too");
});

test("a file named with @ that models cannot take stops the run, as with --attach", async () => {
  writeFileSync(join(place.workspace, "a.bin"), Buffer.from([1, 2, 0, 3]));
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  const run = await stage.run(["look at @a.bin"]);
  expect([run.code, stage.exchanges.length]).toEqual([2, 0]);
  expect(run.stderr).toContain("a.bin is neither text nor an image");
});
