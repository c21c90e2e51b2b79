import { expect, test } from "vitest";
import { sessionTitle } from "../src/session-title.ts";

function check(text: string, title: string): void {
  expect(sessionTitle([{ type: "text", text }])).toBe(title);
}

test("a title is the first line with something to show", () => {
  check("Fix the parser", "Fix the parser");
  check("  Fix\t the   parser \r\nand more", "Fix the parser");
  check("\n\n\r\u2028 second line\nthird", "second line");
  check("\u202e\u200b\n\u0000\nreal", "real");
  check("", "");
  check(" \n\t ", "");
});

test("a title holds no terminal escape, bidi control, invisible character or torn surrogate", () => {
  check("a\u001b[31mred\u0007", "a[31mred");
  check("user\u202egpj.exe\u2066", "usergpj.exe");
  check("\ufeffhidden\u{e0041}\u00ad", "hidden");
  check("a\ud800b\udc00", "ab");
});

test("a title has at most 80 characters, and no emoji is torn at the end", () => {
  check("x".repeat(81), "x".repeat(80));
  check(`${"x".repeat(79)}\u{1f9ed}\u{1f9ed}`, `${"x".repeat(79)}\u{1f9ed}`);
  check(`${"x".repeat(79)} y`, "x".repeat(79));
  check("\u{1f469}\u200d\u{1f4bb} at work", "\u{1f469}\u200d\u{1f4bb} at work");
});

test("pictures have no title, the text beside them has", () => {
  const picture = { type: "media", mediaType: "image/png", data: "" } as const;
  expect(sessionTitle([picture])).toBe("");
  expect(sessionTitle([picture, { type: "text", text: " " }, { type: "text", text: "What is this?" }])).toBe(
    "What is this?",
  );
});
