import { writeFileSync } from "node:fs";
import { type OutputFile, transform } from "esbuild";

/**
 * Writes a bundled module as the script that `app/src/code-cache/script-modules.ts` evaluates: one function of what
 * such a script gets.
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
  const body = code.replace(/\bimport\("([^"\\]+)"\)/g, 'importScript("$1")');
  const script = `(function({exports,require,module,importScript,scriptUrl}){${body}\n})\n`;
  writeFileSync(path, script);
}
