import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, runWords } from "../run-words.ts";

test("where no session was held, the list says so and every id is unknown", async () => {
  const home = join(newFolder(), "home");
  expect(await runWords(["sessions", "list"], home)).toEqual({ code: 0, stdout: "No sessions yet.\n", stderr: "" });
  expect(await runWords(["sessions", "list", "--json"], home)).toEqual({ code: 0, stdout: "", stderr: "" });
  for (const id of ["x", "", "%", "_", "'; drop table"])
    expect(await runWords(["sessions", "show", id], home)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("[session.unknown]"),
    });
});
