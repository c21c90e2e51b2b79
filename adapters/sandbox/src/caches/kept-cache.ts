/** A folder of ours, and where programs find it. */
export interface KeptCache {
  readonly source: string;
  readonly path: string;
}
