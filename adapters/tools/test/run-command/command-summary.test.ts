import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandSummary } from "../../src/run-command/command-summary.ts";

function shown(script: string): string {
  return commandSummary({ type: "script", script, shell: "/bin/sh" });
}

describe("a command is shown whole, on one line, with nothing hidden", () => {
  test.each<[string, string, string]>([
    ["plain", "npm test", "npm test"],
    ["line breaks", "a\nb\r\nc", "a⏎b⟨U+000D⟩⏎c"],
    ["escape sequences", "echo \u001b[2Jx\u0007", "echo ⟨U+001B⟩[2Jx⟨U+0007⟩"],
    ["bidi", "rm \u202etxt.exe", "rm ⟨U+202E⟩txt.exe"],
    ["zero width, soft hyphen, tags", "a\u200bb\u00adc\u{e0041}", "a⟨U+200B⟩b⟨U+00AD⟩c⟨U+E0041⟩"],
    ["odd blanks", "a\u00a0b\u3000c\u2028d", "a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2028⟩d"],
    ["our own marks cannot be forged", "⟨9 spaces⟩⏎", "⟨U+27E8⟩9 spaces⟨U+27E9⟩⟨U+23CE⟩"],
    ["20 spaces", `a${" ".repeat(20)}b`, `a${" ".repeat(20)}b`],
    ["2,000 spaces", `a${" ".repeat(2000)}; evil`, "a⟨2000 spaces⟩; evil"],
    ["500 newlines", `a${"\n".repeat(500)}evil`, "a⟨500 newlines⟩evil"],
    ["mixed padding", `a${" \n".repeat(500)}evil`, "a⟨1000 blanks⟩evil"],
    ["scripts of the world", "echo 日本語 é 👍", "echo 日本語 é 👍"],
    ["half a pair", "a\ud800b", "a⟨U+D800⟩b"],
  ])("%s", (_name, script, expected) => {
    expect(shown(script)).toBe(expected);
  });

  test("arguments are quoted where their ends could not be seen", () => {
    const argv = ["git", "commit", "-m", "it's done", "", "--x=1", "a\nb"];
    expect(commandSummary({ type: "argv", argv })).toBe("git commit -m 'it'\\''s done' '' --x=1 'a⏎b'");
  });

  test("of a very long command head and tail are shown, and the rest is counted", () => {
    const line = shown(`begin ${"x".repeat(5000)} end`);
    expect(line).toMatch(/^begin x+ ⟨… 3050 more …⟩ x+ end$/);
    expect(line.length).toBeLessThanOrEqual(2000);
  });

  test("for any script the line is inert and bounded", () => {
    const anything = fc.string({ unit: "binary", maxLength: 3000 });
    fc.assert(
      fc.property(anything, (script) => {
        const line = shown(script);
        expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u);
        expect(line.length).toBeLessThanOrEqual(2000);
      }),
    );
  });
});
