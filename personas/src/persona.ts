import type { Identity } from "./identity.ts";

/** A way of working that users choose for a session: what the model reads, and tools that it lowers. */
export interface Persona {
  readonly name: string;
  /** What it is good for, for the user who chooses. */
  readonly description: string;
  readonly version: string;
  readonly from: "built-in" | "user" | "workspace";
  /** Where it is described; absent for one that is built in. */
  readonly file?: string;
  /** Of two personas the one with the lower number is read first. */
  readonly priority: number;
  /** Names of personas that come with it, and are read before it. */
  readonly extends: readonly string[];
  readonly prompt: string;
  /** Said in words after the prompts of all personas of a session; absent: nothing is. */
  readonly identity?: Identity;
  /** Names of tools, ours or another agent's: no others; `null`: all. */
  readonly tools: readonly string[] | null;
  /** Tools that it takes away. */
  readonly withoutTools: readonly string[];
}
