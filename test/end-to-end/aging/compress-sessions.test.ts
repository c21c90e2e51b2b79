import { slowTest } from "@capstan/testkit";
import { expect } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";

const place = usePlace();

slowTest("a compressed session is shown, exported, verified and resumed as before, and compressed again", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "It is kept." }, { text: "It continues." }]);
  await stage.run(["--session-id", "kept", "Keep this."]);
  const looks = [
    ["sessions", "show", "kept", "--json"],
    ["sessions", "export", "kept", "--exact"],
    ["audit", "verify", "kept"],
  ];
  const seen = async (): Promise<readonly string[]> => {
    const outputs: string[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one process after the other
    for (const look of looks) outputs.push((await place.run(look)).stdout);
    return outputs;
  };
  const before = await seen();
  for (const text of before) expect(text).toContain(text === before[2] ? "the chain is whole" : "It is kept.");
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const compress = async (): Promise<string> =>
    (await place.run(["sessions", "compress", "--older-than", tomorrow])).stdout;
  expect(await compress()).toBe("kept  compressed\n");
  expect(await seen()).toEqual(before);
  const counted = await place.run(["doctor", "--statistics", "--json"]);
  expect(JSON.parse(counted.stdout)).toMatchObject({ sessions: [{ sessionId: "kept", isCold: true }] });
  expect((await stage.run(["--resume", "kept", "And now?"])).stdout).toContain("It continues.");
  expect(parseLines(await place.run(["sessions", "show", "kept", "--json"])).length).toBeGreaterThan(10);
  expect((await place.run(["doctor", "kept"])).code).toBe(0);
  expect(await compress()).toBe("kept  compressed\n");
  expect(await compress()).toBe("");
});
