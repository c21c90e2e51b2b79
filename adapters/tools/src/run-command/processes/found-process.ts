/** A process, named so that another one that gets its number later is not taken for it. */
export interface FoundProcess {
  readonly pid: number;
  readonly startTicks: number;
}
