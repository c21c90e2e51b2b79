import { allowedWords, replacedWords } from "./replaced-words.ts";
import type { SourceFile } from "./source-file.ts";

/** Every use of a replaced word, in a file's name or in its text, with its line and what to write instead. */
export function checkWords(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => [
    ...found(path, path).map(({ form, write }) => `${path}: "${form}" in its name: write ${write}`),
    ...text
      .split("\n")
      .flatMap((line, index) =>
        found(line, path).map(({ form, write }) => `${path}:${index + 1}: "${form}": write ${write}`),
      ),
  ]);
}

interface Found {
  readonly form: string;
  readonly write: string;
}

function found(line: string, path: string): readonly Found[] {
  const words = ` ${plainWords(line)} `;
  return replacements.flatMap(({ form, write }) =>
    words.includes(` ${form} `) && !isAllowed(form, path) ? [{ form, write }] : [],
  );
}

const replacements: readonly Found[] = replacedWords.flatMap(({ forms, write }) =>
  forms.map((form) => ({ form, write })),
);

function isAllowed(form: string, path: string): boolean {
  return allowedWords.some((allowed) => path.startsWith(allowed.path) && allowed.forms.includes(form));
}

/** A line as lower-case words with single spaces; the parts of a name (`askPerson`, `person-here`) are words of their own. */
function plainWords(line: string): string {
  return line
    .replaceAll(/Hugging Face/g, "")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z]+/g, " ")
    .toLowerCase();
}
