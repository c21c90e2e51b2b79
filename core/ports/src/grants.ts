import type { Grant } from "@capstan/protocol";

/** Remembered approvals of the user, beyond sessions. Contract: adding a grant whose id is known changes nothing. */
export interface Grants {
  add(grant: Grant): Promise<void>;
  list(): Promise<readonly Grant[]>;
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>;
}
