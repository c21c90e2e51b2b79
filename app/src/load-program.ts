import type * as Program from "./program.ts";

/** The program, and what is to be done when it has ended. */
export interface LoadedProgram {
  readonly program: typeof Program;
  /** Keeps compiled code for the next start, where that is worth its time. */
  readonly keepCode: () => void;
}

/** From its sources. The binary has `code-cache/load-program.ts` in the place of this. */
export async function loadProgram(): Promise<LoadedProgram> {
  return { program: await import("./program.ts"), keepCode: () => undefined };
}
