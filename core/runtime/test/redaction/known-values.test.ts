import { createRedactor } from "@capstan/runtime";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const secret = 'correct "horse"/battery+staple ü';
const redact = createRedactor([secret]);

test.each<[string, string]>([
  ["as it is", secret],
  ["in base64", Buffer.from(secret).toString("base64")],
  ["in base64 after one byte", Buffer.from(`x${secret}`).toString("base64")],
  ["in base64 after two bytes, before more", Buffer.from(`xy${secret}rest`).toString("base64")],
  ["in base64 of URLs", Buffer.from(`>>>${secret}`).toString("base64url")],
  ["in base64 broken over lines", Buffer.from(secret).toString("base64").replace(/.{10}/g, "$&\n  ")],
  ["in hex", Buffer.from(secret).toString("hex")],
  ["in large hex", Buffer.from(secret).toString("hex").toUpperCase()],
  ["in a URL", encodeURIComponent(secret)],
  [
    "with every byte escaped",
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  ],
  ["in JSON", JSON.stringify(secret)],
  ["in JSON in JSON", JSON.stringify(JSON.stringify(secret))],
  [
    "in JSON with escaped characters",
    secret.replace(/[^a-z]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ],
  ["broken over lines", secret.replace("horse", "ho\n    rse")],
  ["as bytes read one by one", Buffer.from(secret).toString("latin1")],
])("a known value is found %s", (_form, text) => {
  const redacted = redact(`before ${text} after`);
  expect(redacted).toContain("***");
  expect(redacted).not.toContain(text.slice(4, -8));
});

test("in no form at any alignment does any value survive", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 12, maxLength: 40, unit: "binary-ascii" }).filter((value) => value.trim().length >= 12),
      fc.string({ maxLength: 9 }),
      fc.string({ maxLength: 9 }),
      (value, before, after) => {
        const whole = Buffer.from(before + value + after);
        const redactor = createRedactor([value]);
        for (const form of ["base64", "base64url", "hex"] as const)
          expect(redactor(whole.toString(form))).toContain("***");
        expect(redactor(encodeURIComponent(value))).toContain("***");
        expect(redactor(JSON.stringify(value))).toContain("***");
      },
    ),
  );
});

test("a text in which no value stands is left as it is", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      expect(redact(text)).toBe(text);
    }),
  );
});
