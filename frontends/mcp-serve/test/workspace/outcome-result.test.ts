import { expect, test } from "vitest";
import { outcomeResult } from "../../src/workspace/workspace-tools.ts";

test("what a call brought is the client's result: its text made safe, its pictures, and whether it failed", () => {
  const media = [{ type: "media", mediaType: "image/png", data: "AAAA" }] as const;
  expect(outcomeResult({ type: "done", content: "one\u001b[31m", media }, "")).toEqual({
    text: "one",
    images: [{ mediaType: "image/png", base64: "AAAA" }],
  });
  expect(outcomeResult({ type: "failed", code: "file.missing", content: "no such file" }, "")).toEqual({
    text: "no such file",
    isError: true,
  });
  expect(outcomeResult({ type: "denied", by: "user", content: "a rule denies it" }, "")).toMatchObject({
    isError: true,
  });
  expect(outcomeResult(null, "the model\u0007 was not asked")).toEqual({
    text: "The call did not run: the model was not asked",
    isError: true,
  });
});
