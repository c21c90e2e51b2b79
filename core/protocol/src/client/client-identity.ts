import type { Role } from "./role.ts";

/** Who a client is, as the door knows it. */
export interface ClientIdentity {
  /** The frontend it speaks through: `cli`, `embed`, `socket`, `library`, … */
  readonly frontend: string;
  readonly user?: string;
  readonly role: Role;
}
