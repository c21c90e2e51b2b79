import { bareCode, type SourceFile } from "./source-file.ts";

interface Ban {
  /** Looked for in code without comments and strings, unless `everywhere`. */
  readonly pattern: RegExp;
  readonly reason: string;
  readonly everywhere?: boolean;
  /** Paths it holds for; all of them without it. */
  readonly within?: RegExp;
}

/** Words and constructs we do without, with what to write instead. */
const bans: readonly Ban[] = [
  { pattern: /\b(msg|cfg|ctx|btn|idx|tmp|utils?)\b/, reason: "write the whole word" },
  { pattern: /(\/\/|^\s*\/?\*).*\b(TODO|FIXME|XXX|HACK)\b/, everywhere: true, reason: "finish it, or open an issue" },
  { pattern: /@ts-(ignore|expect-error|nocheck)/, everywhere: true, reason: "make the types right" },
  { pattern: /(oxlint|eslint)-disable(?!.*--)/, everywhere: true, reason: "say why, after ` -- ` on the same line" },
  { pattern: /\/work\/(main|shared)\b/, everywhere: true, reason: "a path of one machine" },
  { pattern: /\bexport\s*\*/, reason: "name what is exported" },
  { pattern: /\bas\s+(unknown|never)\s+as\b/, reason: "parse it, or mint it in one function" },
  { pattern: /\bvi\.(mock|doMock|spyOn|fn)\b/, within: /\/test\//, reason: "use the real part, or the testkit's" },
  {
    pattern: /"bin(?:\/|", ")capstan"|"dist(?:\/|", ")cli"/,
    within: /\.test\.ts$/,
    everywhere: true,
    reason: 'a fresh clone has no build: inject("capstanEntry")',
  },
  {
    pattern: /\b(async|await)\b|\bPromise\b/,
    within:
      /^core\/(engine|policy|view|protocol)\/src\/(?!client\/(?:engine-client|sessions-client|installation)\.ts|engine-handle\.ts)/,
    reason: "decisions know no promise",
  },
  {
    pattern: /\bprocess\s*\.\s*env\b|\bhomedir\b/,
    within: /^(core|adapters|frontends)\/.*\/?src\//,
    reason: "nothing below host reads the environment or the home directory",
  },
  {
    pattern: /\bclass\s|\bexport\s+(async\s+)?(function|const|let|var)\b/,
    within: /^core\/ports\/src\//,
    reason: "ports hold no implementation",
  },
];

/** Every use of a banned word or construct, with its line and the reason. */
export function checkText(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) => bans.filter((ban) => holdsFor(ban, file.path)).flatMap((ban) => find(ban, file)));
}

function holdsFor({ within }: Ban, path: string): boolean {
  return within === undefined || within.test(path);
}

function find({ pattern, everywhere, reason }: Ban, { path, text }: SourceFile): readonly string[] {
  const lines = (everywhere === true ? text : bareCode(text)).split("\n");
  return lines.flatMap((line, index) => {
    const found = pattern.exec(line);
    return found === null ? [] : [`${path}:${index + 1}: "${found[0].trim()}": ${reason}`];
  });
}
