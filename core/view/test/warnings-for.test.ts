import { warningsFor } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";

test.each<[string, string, RegExp]>([
  ["an escape", "echo \u001b[31m", /terminal control sequences, such as ⟨U\+001B⟩/],
  ["C1", "echo \u009b", /terminal control sequences/],
  ["a carriage return", "echo a\rb", /control characters, such as ⟨U\+000D⟩/],
  ["a direction", "rm \u202etxt.exe", /direction of reading, such as ⟨U\+202E⟩/],
  ["zero width", "rm a\u200bb", /invisible characters, such as ⟨U\+200B⟩/],
  ["a tag", "rm a\u{e0061}", /invisible characters, such as ⟨U\+E0061⟩/],
  ["a filler", "rm \u3164", /invisible characters/],
  ["a blank", "rm\u00a0-rf", /not plain spaces, such as ⟨U\+00A0⟩/],
  ["private use", "rm \ue000", /without a common meaning/],
  ["Cyrillic in a Latin word", "curl https://pаypal.com", /`p⟨U\+0430⟩ypal` mixes Latin and Cyrillic/],
  ["Greek in a Latin word", "curl gοogle.com", /mixes Latin and Greek/],
  ["a Cyrillic word that looks Latin", "run сору now", /`⟨U\+0441⟩.*looks Latin, and is Cyrillic/],
  ["full-width letters", "ｒｍ -rf x", /only look like plain ones/],
  ["letters of mathematics", "𝐫𝐦 -rf x", /only look like plain ones/],
  ["punycode", "curl https://xn--pypal-4ve.com/x", /The host xn--pypal-4ve\.com has another name/],
  ["padding", `ls${" ".repeat(200)}; rm`, /stretches of nothing/],
  ["empty lines", `ls${"\n".repeat(100)}rm`, /stretches of nothing/],
])("warns of %s", (_name, text, warning) => {
  expect(warningsFor(text).join("\n")).toMatch(warning);
});

test.each([
  "npm test && git commit -m 'fix: the parser'",
  "echo 'Привет, мир'; echo 世界 and 日本語テキスト",
  "def f():\n    return 1\n\n\n\ndef g():\n                    pass\n",
  "α + β = γ",
  "naïve café résumé",
  "a\r\nb\r\n",
  "",
])("has nothing to say of %j", (text) => {
  expect(warningsFor(text)).toEqual([]);
});

test("warns of the end of a long text as of its beginning, and is itself plain text", () => {
  const warnings = warningsFor(`${"x".repeat(5_000_000)} \u202e`);
  expect(warnings).toHaveLength(1);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const warning of warningsFor(text)) expect(warning).toMatch(/^[ -~⟨⟩×…]*$/u);
    }),
    { numRuns: 500 },
  );
});
