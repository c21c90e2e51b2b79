import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, runWords } from "../run-words.ts";

test("a rehearsal that cannot begin says why", async () => {
  expect(await runWords(["rehearse", join(newFolder(), "missing.json")])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("[rehearsal.scenario]"),
  });
  expect(await runWords(["rehearse", "scenario.json", "--port"])).toMatchObject({ code: 2 });
});
