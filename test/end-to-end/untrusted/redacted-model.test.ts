import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";
import type { Run } from "../stage/run-capstan.ts";

const place = usePlace();

// Made here, so that no file of the project holds anything of the form of a key.
const letters = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1BcD4fGh7Jk";
const canaries = [`ghp_${letters.slice(0, 36)}`, `sk-ant-api03-${letters}${letters}`, `glpat-${letters.slice(0, 20)}`];
const known = `local-${letters}`;
const secrets = [...canaries, known];

const env = { DEPLOY_TOKEN: known };

overWires("over %s", (wire, test) => {
  test("what the model repeats of keys, in pieces of every size, is in no output and no file", async () => {
    const text = `The keys are ${secrets.join(" and ")}, and ${Buffer.from(known).toString("base64")}.`;
    const stage = await place.rehearse(wire, [
      { text, tool_calls: [{ name: "read_file", arguments: { path: "leak.txt" } }], piece_bytes: 7 },
      { text: `Again: ${secrets.join(" ")}`, piece_bytes: 1 },
    ]);
    place.write("leak.txt", secrets.join("\n"));
    const runs = [await stage.run(["--output-format", "stream-json", "go"], { env })];
    expect(runs[0]?.code).toBe(0);
    expect(runs[0]?.stdout).toContain("ghp_***");
    runs.push(await place.run(["sessions", "list"], { env: { ...stage.env, ...env } }));
    expect(runs.flatMap((run) => placesOf(run))).toEqual([]);
  });
});

test("a key inside arguments runs exactly, and is shown to nobody", async () => {
  const [key = ""] = canaries;
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [{ name: "write_file", arguments: { path: "out.txt", content: `key=${key}\n` } }], piece_bytes: 5 },
    { text: "written" },
    { text: "more" },
  ]);
  const runs = [
    await stage.run(["--output-format", "stream-json", "--yolo", "go"], { env }),
    await stage.run(["--continue", "--yolo", "continue"], { env }),
  ];
  expect(place.read("out.txt")).toBe(`key=${key}\n`);
  expect(runs.map((run) => run.code)).toEqual([0, 0]);
  expect(runs.flatMap(({ stdout, stderr }) => [stdout, stderr]).join("")).not.toContain(key);
  expect(runs[0]?.stdout).toContain("ghp_***");
});

slowTest(
  "an export knows the keys of the user's configuration, and what the user said is shown without secrets",
  async () => {
    const configured = `gate-${letters}`;
    const stage = await place.rehearse("anthropic", [{ text: "I see." }]);
    const asked = `My gate says ${configured}, and my key is ${known}.`;
    const run = await stage.run(["--output-format", "stream-json", "--session-id", "exported", asked], { env });
    expect([run.code, run.stdout.includes(known)]).toEqual([0, false]);
    writeFileSync(
      join(place.data, "config.toml"),
      `[providers.gate]\nwire = "openai-chat"\nheaders = { X-Token = "${configured}" }\n`,
    );
    for (const command of [
      ["sessions", "export"],
      ["sessions", "export", "--format", "markdown"],
      ["audit", "export"],
    ]) {
      const shown = await place.run([...command, "exported"], { env });
      const exact = await place.run([...command, "exported", "--exact"], { env });
      expect([command, shown.code, shown.stdout.includes(configured), shown.stdout.includes(known)]).toEqual([
        command,
        0,
        false,
        false,
      ]);
      // The control: without the defence it is there.
      expect([command, exact.stdout.includes(configured)]).toEqual([command, true]);
    }
  },
);

/** Where a secret is found: the outputs, and every file of the data directory. */
function placesOf(run: Run): readonly string[] {
  const files = readdirSync(place.data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const texts: readonly (readonly [name: string, text: string])[] = [
    ["stdout", run.stdout],
    ["stderr", run.stderr],
    ...files.map((file) => [file, readFileSync(file, "latin1")] as const),
  ];
  const sought = [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString("base64").slice(0, -4))];
  return texts.flatMap(([name, text]) =>
    sought.filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret}`),
  );
}
