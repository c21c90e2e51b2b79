import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { renderTemplate, type Template } from "../src/render-template.ts";

const empty: Template = { file: null, text: null, layout: null, variables: {} };

function place(
  templates: Readonly<Record<string, Partial<Template>>>,
  limitBytes = 1000,
): Parameters<typeof renderTemplate>[1] {
  const home = mkdtempSync(join(tmpdir(), "capstan-templates-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, "own.md"), "From a file: {{ word }}");
  const whole = Object.fromEntries(Object.entries(templates).map(([name, each]) => [name, { ...empty, ...each }]));
  return { templates: whole, home, variables: { project: "harbour" }, limitBytes };
}

test("a template has its values, stands in its layout, and a placeholder without a value stays", async () => {
  const made = place({
    own: { file: "own.md", variables: { word: "{{ project }}" }, layout: "frame" },
    frame: { text: "<{{project}}> {{ body }} {{ nobody }} {{ word }}", variables: { word: "frame" } },
  });
  for (const _ of [1, 2])
    expect(await renderTemplate("own", made)).toBe("<harbour> From a file: {{ project }} {{ nobody }} {{ project }}");
});

test.each([
  ["gone", "there is no [templates.gone]"],
  ["bare", "it has neither text nor file"],
  ["circle", "more than 4 layouts stand around it"],
  ["long", "it has more than 1000 bytes"],
  ["missing", /ENOENT/],
])("the template %s says what is wrong with it", async (name, message) => {
  const made = place({
    bare: {},
    circle: { text: "x", layout: "circle" },
    long: { text: "x".repeat(1001) },
    missing: { file: "not-there.md" },
  });
  await expect(renderTemplate(name, made)).rejects.toThrow(message);
});
