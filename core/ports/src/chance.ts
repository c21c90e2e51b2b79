/** Randomness as data. */
export interface Chance {
  /** A number in [0, 1), for jitter. */
  fraction(): number;
  /** 26 characters [0-9a-z], unguessable enough to be unique across machines; the first few differ from one to the next. */
  id(): string;
}
