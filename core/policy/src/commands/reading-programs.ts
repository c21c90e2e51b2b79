import type { ProgramUsage } from "./option-check.ts";

/**
 * Programs that only read when called as listed (short options, long options, operands). Not here, though they look like
 * readers: uniq, sort, tree, xxd, file, diff, column and date write or start programs for some argument; git runs what its
 * configuration says; less and man start programs.
 */
export const readingPrograms: ReadonlyMap<string, ProgramUsage> = new Map<string, ProgramUsage>([
  ["pwd", { flags: "LP", operands: "none" }],
  ["true", { operands: "text" }],
  ["false", { operands: "text" }],
  ["whoami", { operands: "none" }],
  ["id", { flags: "Ggnruz", operands: "text" }],
  ["uname", { flags: "asnrvmpio", long: "all kernel-name nodename machine", operands: "none" }],
  ["echo", { flags: "neE", operands: "text" }],
  ["which", { flags: "as", operands: "text" }],
  ["basename", { flags: "az", valued: "s", operands: "text" }],
  ["dirname", { flags: "z", operands: "text" }],
  ["realpath", { flags: "emLPqsz", operands: "paths" }],
  ["readlink", { flags: "femnqsvz", operands: "paths" }],
  [
    "ls",
    {
      flags: "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
      valued: "ITw",
      long:
        "all almost-all author escape directory classify color file-type full-time group-directories-first no-group " +
        "human-readable si inode literal numeric-uid-gid reverse recursive size dereference zero context kibibytes ignore-backups",
      longValued: "sort time time-style format ignore hide block-size quoting-style indicator-style width tabsize",
      operands: "paths",
    },
  ],
  [
    "cat",
    {
      flags: "AbeEnstTuv",
      long: "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting",
      operands: "paths",
    },
  ],
  [
    "head",
    {
      flags: "qvz",
      valued: "nc",
      counts: true,
      long: "quiet silent verbose",
      longValued: "lines bytes",
      operands: "paths",
    },
  ],
  [
    "tail",
    {
      flags: "qvz",
      valued: "nc",
      counts: true,
      long: "quiet silent verbose",
      longValued: "lines bytes",
      operands: "paths",
    },
  ],
  ["wc", { flags: "clmwL", long: "bytes chars lines words max-line-length total", operands: "paths" }],
  [
    "stat",
    {
      flags: "Lft",
      valued: "c",
      long: "dereference file-system terse",
      longValued: "format printf",
      operands: "paths",
    },
  ],
  ["nl", { flags: "p", valued: "bdfhilnsvw", operands: "paths" }],
  ["rev", { operands: "paths" }],
  [
    "du",
    {
      flags: "0aAbcDhHkLlmPsSx",
      valued: "dBt",
      long: "all apparent-size bytes total human-readable summarize",
      longValued: "max-depth exclude threshold",
      operands: "paths",
    },
  ],
  ["df", { flags: "ahHiklPT", long: "all human-readable inodes print-type", operands: "paths" }],
  [
    "cmp",
    { flags: "bls", valued: "in", long: "print-bytes verbose quiet silent", longValued: "bytes", operands: "paths" },
  ],
  [
    "cut",
    {
      flags: "nsz",
      valued: "bcdf",
      long: "complement only-delimited zero-terminated",
      longValued: "bytes characters delimiter fields output-delimiter",
      operands: "paths",
    },
  ],
  ["tr", { flags: "cCdst", long: "complement delete squeeze-repeats truncate-set1", operands: "text" }],
  ...["md5sum", "sha1sum", "sha256sum", "sha512sum"].map(
    (name) => [name, { flags: "btz", long: "binary text tag zero", operands: "paths" }] as const,
  ),
  [
    "grep",
    {
      // Not R, which follows links out of the workspace, and not f, which reads a file.
      flags: "abcEFGhHiIlLnoPqrsTUvVwxyZz",
      valued: "eABCm",
      counts: true,
      long:
        "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp " +
        "count color colour files-with-matches files-without-match only-matching quiet silent no-messages byte-offset " +
        "with-filename no-filename line-number initial-tab null text recursive line-buffered null-data",
      longValued:
        "regexp max-count after-context before-context context include exclude exclude-dir label binary-files",
      operands: "pattern-then-paths",
      patternOptions: "e regexp",
    },
  ],
  [
    "rg",
    {
      // Not z, --pre and --hostname-bin, which start programs, not L, and not f.
      flags: "acFHhiIlnNoPpqsSUuvVwx0.",
      valued: "eABCmgtTMjEdr",
      long:
        "text count count-matches fixed-strings with-filename no-filename ignore-case smart-case case-sensitive files-with-matches " +
        "files-without-match line-number no-line-number only-matching pcre2 pretty quiet multiline multiline-dotall unrestricted " +
        "invert-match word-regexp line-regexp null hidden no-hidden no-ignore no-ignore-vcs no-ignore-parent heading no-heading " +
        "column no-column vimgrep json files trim stats passthru no-messages no-config max-columns-preview byte-offset crlf " +
        "glob-case-insensitive type-list include-zero version debug no-require-git one-file-system auto-hybrid-regex",
      longValued:
        "regexp after-context before-context context max-count glob iglob type type-not max-columns threads encoding max-depth " +
        "replace color colors sort sortr max-filesize context-separator field-match-separator engine",
      operands: "pattern-then-paths",
      patternOptions: "e regexp files type-list",
    },
  ],
]);

/** Whether a program takes its words for text, and never for files: what `echo` prints is a mention, and no access. */
export function takesText([program = ""]: readonly string[]): boolean {
  return readingPrograms.get(program)?.operands === "text";
}
