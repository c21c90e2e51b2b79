/**
 * What a client may do with a session; each role includes those before it.
 * `watch` reads. `ask` starts turns that run in plan mode. `drive` starts turns in the session's mode, cancels, steers, edits the
 * queue, sets model, effort and title, lowers the mode. `approve` answers interactions and grants for the session. `operate` raises the
 * mode, rewinds, deletes, imports, exports, trusts, grants for good.
 */
export type Role = "watch" | "ask" | "drive" | "approve" | "operate";

/** From the least to the most. */
export const roles: readonly Role[] = ["watch", "ask", "drive", "approve", "operate"];

/** Whether a client with the role `held` may do what takes the role `needed`. */
export function includesRole(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed);
}

/** The smaller of two roles. */
export function lesserRole(one: Role, other: Role): Role {
  return includesRole(one, other) ? other : one;
}
