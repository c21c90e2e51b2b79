import type { Surroundings } from "./surroundings.ts";

/** Another maker's client, and what it does with the binary. */
export interface ConformancePart {
  readonly name: string;
  /** Of npm, with their versions. */
  readonly packages: readonly string[];
  /** What each shows; one that fails throws. */
  readonly stories: Readonly<Record<string, (surroundings: Surroundings) => Promise<void>>>;
}
