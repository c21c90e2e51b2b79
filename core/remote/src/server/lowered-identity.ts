import { AppError, type ClientIdentity, lesserRole } from "@capstan/protocol";
import type { NamedClient } from "../operations/operation-types.ts";

/**
 * Who a client counts as, by what it says of itself: its role only ever falls, and it takes no name that is another's.
 * @param mayName  whether it may name its frontend, and its user where none is known
 * @throws AppError `door.role`
 */
export function loweredIdentity(
  identity: ClientIdentity,
  { role, user, frontend }: NamedClient,
  mayName: boolean,
): ClientIdentity {
  if (user !== undefined && user !== identity.user && (identity.user !== undefined || !mayName))
    throw otherName("user", identity.user ?? "nobody by name");
  if (frontend !== undefined && frontend !== identity.frontend && !mayName)
    throw otherName("frontend", identity.frontend);
  return {
    ...identity,
    ...(user === undefined ? {} : { user }),
    ...(frontend === undefined ? {} : { frontend }),
    role: role === undefined ? identity.role : lesserRole(identity.role, role),
  };
}

function otherName(what: "user" | "frontend", own: string): AppError {
  return new AppError("door.role", `this connection speaks for another ${what}: ${own}`, {
    hint: `Leave \`${what}\` out.`,
  });
}
