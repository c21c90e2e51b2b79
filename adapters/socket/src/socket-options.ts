import type { ClientIdentity } from "@capstan/protocol";

export interface SocketOptions {
  /** What the user's own clients may do. They may name their frontend and user, and lower their role. */
  readonly identity: ClientIdentity;
  /** The frontend of the process that serves, as its clients see it. */
  readonly owner?: string;
  readonly version: string;
}
