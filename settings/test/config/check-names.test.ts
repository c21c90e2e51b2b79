import { expect, test } from "vitest";
import { configPlace } from "./config-place.ts";

test.each([
  // An empty table makes no template.
  [
    '[context]\ntemplates = ["x"]\n[templates.x]\n',
    'context.templates: there is no template "x": a table [templates."x"] with text or file makes one',
    2,
  ],
  [
    '[context]\ntemplates = ["conventions"]\n',
    'context.templates: there is no template "conventions": a table [templates."conventions"] with text or file makes one',
    2,
  ],
  ['[templates.empty]\nlayout = "frame"\n[templates.frame]\ntext = "x"\n', "templates.empty: expected text or file", 2],
  [
    '[templates.a]\ntext = "x"\nlayout = "gone"\n',
    'templates.a.layout: there is no template "gone": a table [templates."gone"] with text or file makes one',
    3,
  ],
  ['[context]\nsummary_url = "nonsense"\n', "context.summary_url: expected an address", 2],
])("%j is refused with its place, each time", async (text, problem, line) => {
  const place = configPlace();
  place.write(place.userFile, text);
  for (const time of [1, 2]) {
    const { code, message } = await place.failure();
    expect([time, code]).toEqual([time, "config.invalid"]);
    expect(message).toContain(`config.toml:${line}: ${problem}`);
  }
});

test("templates that are there, in layouts that are there, are taken", async () => {
  const place = configPlace();
  const tables = '[templates.a]\ntext = "x"\nlayout = "frame"\n[templates.frame]\ntext = "{{ body }}"\n';
  place.write(place.userFile, `[context]\ntemplates = ["a"]\nsummary_url = "http://127.0.0.1:8080/s"\n${tables}`);
  expect((await place.load()).values.context.templates).toEqual(["a"]);
});
