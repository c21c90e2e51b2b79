import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Stage, usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";
import type { Run } from "../stage/run-capstan.ts";

const place = usePlace();
const json = ["exec", "--experimental-json", "--model", "openai/rehearsal", "--skip-git-repo-check"];
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function exec(stage: Stage, input: string, ...args: readonly string[]): Promise<Run> {
  const { OPENAI_API_KEY: key = "", ...env } = stage.env;
  return place.run([...json, ...args], { input, env: { ...env, CODEX_API_KEY: key } });
}

function itemsOf(run: Run): readonly unknown[] {
  return parseLines(run).flatMap(({ type, item }) => (type === "item.completed" ? [item] : []));
}

test("an image and a schema reach the model, and an answer that does not fit is asked for again, then fails the turn", async () => {
  place.write("schema.json", '{"type":"object","required":["ok"]}');
  writeFileSync(`${place.workspace}/seen.png`, Buffer.from(png, "base64"));
  const wrong = { text: "no JSON" };
  const stage = await place.rehearse("openai-responses", [wrong, { text: '{"ok":1}' }, wrong, wrong, wrong]);
  const args = ["--output-schema", "schema.json", "--image", "seen.png"];
  const fits = await exec(stage, "look", ...args);
  expect(itemsOf(fits).at(-1)).toMatchObject({ type: "agent_message", text: '{"ok":1}' });
  expect(JSON.stringify(stage.exchanges[0])).toContain(png.slice(0, 40));
  const fails = await exec(stage, "look", ...args);
  expect(parseLines(fails).at(-1)).toMatchObject({
    type: "turn.failed",
    error: { message: expect.stringContaining("does not fit the schema") },
  });
  expect(fails.code).toBe(1);
});

test("what Codex's flags ask for beyond the user's configuration is refused, and what means nothing here is named", async () => {
  const stage = await place.rehearse("openai-responses", [{ text: "hello" }, { text: "hello" }]);
  const refused = await exec(stage, "go", "--sandbox", "danger-full-access");
  expect(parseLines(refused)).toMatchObject([{ type: "error", message: expect.stringContaining("configuration") }]);
  expect([refused.code, stage.exchanges.length]).toEqual([2, 0]);
  mkdirSync(place.data, { recursive: true });
  writeFileSync(`${place.data}/config.toml`, "[permissions]\nallow_bypass = true\n", { mode: 0o600 });
  const allowed = await exec(stage, "go", "--sandbox=danger-full-access", "--fancy", "--config", 'web_search="live"');
  expect(allowed.code).toBe(0);
  for (const named of ["WARNING", "--fancy", "web_search"]) expect(allowed.stderr).toContain(named);
  expect((await exec(stage, "go", "resume", "no-such-session")).code).not.toBe(0);
});
