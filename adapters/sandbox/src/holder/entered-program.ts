/** How a program is started in a holder. */
export interface EnteredProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly descriptors: readonly number[];
}
