import { userInfo } from "node:os";

/** The operating system's user, by name, or by number where it has none. */
export function currentUser(): { readonly user: string } {
  try {
    return { user: userInfo().username };
  } catch {
    return { user: `uid-${process.getuid?.() ?? "unknown"}` };
  }
}
