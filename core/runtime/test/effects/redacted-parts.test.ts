import type { AssistantMessage, ModelStreamPart } from "@capstan/protocol";
import { testOrigin } from "@capstan/testkit";
import { expect, test } from "vitest";
import { createRedactor } from "../../src/index.ts";
import { RedactedParts } from "../../src/effects/redacted-parts.ts";

const secret = "hunter2-hunter2";
const key = "ghp_0123456789abcdefghijABCDEFGHIJ";

function answered(...pieces: readonly (string | ModelStreamPart)[]): {
  readonly shown: string;
  readonly kept: AssistantMessage["content"];
} {
  const parts = new RedactedParts(createRedactor([secret]));
  const shown = [
    ...pieces.flatMap((piece) =>
      parts.push([typeof piece === "string" ? { type: "text-delta", delta: piece } : piece]),
    ),
    ...parts.end(),
  ].flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
  const text = pieces.filter((piece) => typeof piece === "string").join("");
  return {
    shown: shown.join(""),
    kept: parts.message({ role: "assistant", origin: testOrigin, content: [{ type: "text", text }] }).content,
  };
}

test.each([
  ["in the middle", [`say ${secret} `, "twice"], "say *** twice"],
  ["at the very end", ["say ", secret], "say ***"],
  ["at the end, in pieces", ["say hunter2", "-hunter2"], "say ***"],
  [
    "before a call",
    ["say hunter2", "-hunter2", { type: "tool-arguments-delta", index: 0, name: "run_command", delta: "{}" }],
    "say ***",
  ],
  // Such a key ends only where the text does.
  ["of a vendor at the very end", ["say ", key], "say ghp_***"],
  [
    "of a vendor before a call",
    ["say ", key, { type: "tool-arguments-delta", index: 0, name: "run_command", delta: "{}" }],
    "say ghp_***",
  ],
  ["nowhere", ["say ", "hunter"], "say hunter"],
] as const)("a secret %s of an answer is in neither what is shown nor what is kept", (_where, pieces, clean) => {
  const { shown, kept } = answered(...pieces);
  expect([shown, kept]).toEqual([clean, [{ type: "text", text: clean }]]);
});
