/** A word that the project has replaced by the field's own, everywhere: in names, comments, messages and documents. */
export interface ReplacedWord {
  /** Lower-case words with single spaces; all forms that are looked for. */
  readonly forms: readonly string[];
  /** What to write instead. */
  readonly write: string;
}

/** A place in which a replaced word is right. */
export interface AllowedWord {
  /** What the path begins with. */
  readonly path: string;
  readonly forms: readonly string[];
  readonly reason: string;
}

export const replacedWords: readonly ReplacedWord[] = [
  { forms: ["person", "persons"], write: "user" },
  { forms: ["face", "faces"], write: "frontend" },
  { forms: ["told"], write: "notified, informed, reported or shown" },
  { forms: ["wish", "wishes", "wished"], write: "request or setting" },
  {
    forms: ["go on", "goes on", "going on", "gone on", "went on"],
    write: "continue or resume; happen",
  },
  { forms: ["hear", "hears", "heard", "hearing"], write: "receive" },
  { forms: ["manner", "manners"], write: "mode or kind" },
  { forms: ["scene", "scenes"], write: "scenario, fixture or situation" },
  { forms: ["attendance", "attendant"], write: "askPolicy, or what it is" },
  { forms: ["stranger", "strangers"], write: "another user, or untrusted" },
  { forms: ["keeper", "keepers"], write: "what it is: a store, a supervisor, maintenance" },
  { forms: ["mend", "mends", "mended", "mending"], write: "fix, correct or repair" },
  { forms: ["anew"], write: "again" },
  { forms: ["for ever"], write: "forever" },
  { forms: ["by way of"], write: "through" },
  { forms: ["shall"], write: "must or should" },
  { forms: ["the wheel", "same wheel"], write: "what it is" },
];

const stored = "what older versions stored has these names";

export const allowedWords: readonly AllowedWord[] = [
  { path: "core/protocol/src/versions/", forms: ["person", "face", "attendance"], reason: stored },
  { path: "core/protocol/test/versions/", forms: ["person", "face", "attendance"], reason: stored },
  { path: "adapters/storage/test/sqlite/older-origin.test.ts", forms: ["face"], reason: stored },
  { path: "docs/decisions/0031-records-have-versions.md", forms: ["face"], reason: stored },
  { path: "CHANGELOG.md", forms: ["face"], reason: stored },
  { path: "core/wording/src/outcomes.ts", forms: ["go on"], reason: "stored sessions keep this sentence" },
  { path: "core/engine/test/operation/from-recovery.test.ts", forms: ["go on"], reason: "the same sentence" },
  { path: "adapters/tools/src/run-command/scripts/script-names.ts", forms: ["wish"], reason: "a program's name" },
  { path: "scripts/bundle/collect-licences.ts", forms: ["person", "persons", "shall"], reason: "a licence's text" },
];
