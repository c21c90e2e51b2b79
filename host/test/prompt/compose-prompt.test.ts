import { expect, test } from "vitest";
import { composePrompt, systemPrompt } from "../../src/prompt/compose-prompt.ts";
import { type ConfigPlace, configPlace } from "../../../settings/test/config/config-place.ts";

const bases = {
  none: [],
  text: ["prompt.system_prompt=own words"],
  file: ["prompt.system_prompt_file=FILE"],
  both: ["prompt.system_prompt=own words", "prompt.system_prompt_file=FILE"],
} as const;

async function compose(place: ConfigPlace, sets: readonly string[]): Promise<string> {
  return composePrompt((await place.load({ sets })).values);
}

test("the user's own prompt stands in place of the built-in one, and words before a file", async () => {
  const place = configPlace();
  const file = `${place.root}/prompt.md`;
  place.write(file, "words of a file\n");
  const expected = { none: systemPrompt, text: "own words", file: "words of a file\n", both: "own words" };
  for (const name of ["none", "text", "file", "both"] as const) {
    const sets = bases[name].map((set) => set.replace("FILE", file));
    expect(await compose(place, sets)).toBe(expected[name]);
    expect(await compose(place, [...sets, "prompt.append_system_prompt=and more"])).toBe(
      `${expected[name]}\n\nand more`,
    );
    expect(await compose(place, [...sets, `prompt.append_system_prompt_file=${file}`])).toBe(
      `${expected[name]}\n\nwords of a file\n`,
    );
  }
});

test("an empty appendix appends nothing", async () => {
  const place = configPlace();
  place.write(`${place.root}/empty.md`, "");
  expect(await compose(place, [`prompt.append_system_prompt_file=${place.root}/empty.md`])).toBe(systemPrompt);
});

test("a file that cannot be read is named with its key", async () => {
  const place = configPlace();
  for (const key of ["prompt.system_prompt_file", "prompt.append_system_prompt_file"])
    for (const path of [`${place.root}/missing.md`, place.root])
      await expect(compose(place, [`${key}=${path}`])).rejects.toMatchObject({
        code: "config.unreadable",
        message: expect.stringContaining(`${key}: ${path} cannot be read: `),
      });
});

test("the built-in prompt is the same in every session: no date, no path, no platform", () => {
  expect(systemPrompt).not.toMatch(/\d{4}-\d{2}-\d{2}|\/home|linux|darwin|\$\{/i);
  expect(Buffer.byteLength(systemPrompt)).toBeLessThan(4096);
});
