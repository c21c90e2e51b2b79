import { isJsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { allowed, patch, turns } from "./spoken-turns.ts";

const place = usePlace();

test("over the Responses wire a patch is a text with a grammar, and goes back as it came", async () => {
  place.write("note.txt", "one\ntwo\n");
  const stage = await place.rehearse("openai-responses", turns("openai"));
  await stage.run(["--set", "tools.profile=openai", ...allowed, "go"]);
  const last = stage.exchanges.at(-1)?.body;
  const tools = isJsonObject(last) && Array.isArray(last["tools"]) ? last["tools"] : [];
  expect(tools.filter(isJsonObject).find(({ type }) => type === "custom")).toMatchObject({
    name: "apply_patch",
    format: { type: "grammar", syntax: "lark" },
  });
  expect(isJsonObject(last) ? last["input"] : last).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: "custom_tool_call", name: "apply_patch", input: patch }),
      expect.objectContaining({ type: "custom_tool_call_output" }),
    ]),
  );
});
