import type { FactStore } from "@capstan/ports";
import type { ReadJournals } from "./journal-reader.ts";

export interface FactsOptions {
  /** Opens what is remembered; it is made when missing. @throws AppError `storage.*` */
  readonly open: () => Promise<FactStore>;
  /** Whether anything was remembered yet: a look, and nothing is opened. */
  readonly exists: () => boolean;
  readonly sessions: ReadJournals;
  /** ms since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Takes secrets out of what is stored. */
  readonly redact: (text: string) => string;
}
