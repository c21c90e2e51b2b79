import { writeFileSync } from "node:fs";
import { type OutputFile, transform } from "esbuild";

/**
 * Writes a bundled module as the script that `app/src/code-cache/script-modules.ts` evaluates: one function of what
 * such a script gets.
 * @throws when a letter cannot be written in ASCII
 */
export async function writeScript({ path, text }: OutputFile): Promise<void> {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    define: { "import.meta.url": "scriptUrl" },
  });
  const body = inAscii(code).replace(/\bimport\("([^"\\]+)"\)/g, 'importScript("$1")');
  const script = `(function({exports,require,module,importScript,scriptUrl}){${body}\n})\n`;
  writeFileSync(path, script);
}

/**
 * The same program in ASCII, which V8 reads and keeps with one byte for a letter instead of two. The bundler has written strings so; regular
 * expressions are left, in which the escape means the same unless a backslash stands before it.
 */
export function inAscii(code: string): string {
  if (/\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f`]/.test(code))
    throw new Error("a bundled file has a letter outside of ASCII behind a backslash or in a raw text");
  return code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
