import { userInfo } from "node:os";
import type { ClientIdentity, Origin, Role } from "@capstan/protocol";

/** Who sits at this command line: the operating system's user, by name, or by number where it has none. */
export function localOrigin(): Origin {
  return { frontend: "cli", user: userName() };
}

/** The same as a client of the engine. */
export function identityHere(role: Role): ClientIdentity {
  return { frontend: "cli", role, user: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}
