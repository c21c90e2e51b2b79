/** A process that writes to a session. */
export interface LeaseOwner {
  /** Unique for each opening of a session. */
  readonly id: string;
  readonly processId: number;
  /** With the process id it names a process forever, as the system reports it (clock ticks since boot on Linux). */
  readonly processStart: string;
  /** Names the boot of the machine. */
  readonly bootId: string;
  /** Process ids mean something only within it. */
  readonly processNamespace: string;
  readonly frontend: string;
}

export interface HeldLease {
  readonly owner: LeaseOwner;
  /** Grows with every claim of the session that is granted. */
  readonly generation: number;
  /** ms since boot: when the owner last said that it lives. */
  readonly beatMs: number;
  /** ms since 1970, for display. */
  readonly claimedAt: number;
}

export interface LeaseClaim {
  readonly owner: LeaseOwner;
  /** ms since boot. */
  readonly beatMs: number;
  /** ms since 1970. */
  readonly at: number;
  /** Whether a holder is dead or lost, so that its lease may be taken. Called inside the transaction. */
  isGone(holder: HeldLease): boolean;
}

export type LeaseAnswer =
  | { readonly type: "granted"; readonly generation: number }
  | { readonly type: "held"; readonly holder: HeldLease };
