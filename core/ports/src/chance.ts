/** Randomness as data. */
export interface Chance {
  /** A number in [0, 1), for jitter. */
  fraction(): number;
  /** 26 characters [0-9a-z], sortable by time of making, unguessable enough to be unique across machines. */
  id(): string;
}
