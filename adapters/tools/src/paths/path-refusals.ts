import { ToolRefusal, unreachable } from "@capstan/protocol";
import type { Destination } from "./follow-links.ts";
import { quotedPath } from "./path-syntax.ts";

type BlockedReason = Extract<Destination, { readonly type: "blocked" }>["reason"];

/** `path.outside`: the place is in none of the roots. */
export function outside(requested: string): ToolRefusal {
  const advice = "Use a path inside the working directory; if the file is needed, ask the user to add its directory.";
  return new ToolRefusal("denied", "path.outside", `${quotedPath(requested)} leads outside the workspace. ${advice}`);
}

/** `path.denied`: the place is protected. */
export function denied(requested: string, reason: string): ToolRefusal {
  const advice = "Do not try to reach it another way; continue without it, or ask the user.";
  return new ToolRefusal("denied", "path.denied", `${quotedPath(requested)} is protected: ${reason}. ${advice}`);
}

/** `path.invalid`: the path, or the name it leads to, has a form that is not accepted. */
export function invalid(requested: string, reason: string): ToolRefusal {
  return new ToolRefusal("rejected", "path.invalid", `Path ${quotedPath(requested)} is not accepted: ${reason}`);
}

/** `path.not-a-file`: there is something, but not a regular file. */
export function notAFile(requested: string, reason: string): ToolRefusal {
  return new ToolRefusal("rejected", "path.not-a-file", `${quotedPath(requested)} is not a regular file: ${reason}.`);
}

/** `path.not-found`. @param similar  neighbours to offer instead, as shown */
export function notFound(requested: string, similar: readonly string[]): ToolRefusal {
  const offer = similar.length === 0 ? "Use glob to find it." : `Similar: ${similar.map(quotedPath).join(", ")}.`;
  return new ToolRefusal("rejected", "path.not-found", `${quotedPath(requested)} does not exist. ${offer}`);
}

/** For ways that end before they arrive. */
export function blocked(requested: string, reason: BlockedReason): ToolRefusal {
  switch (reason) {
    case "kernel":
      return outside(requested);
    case "unreadable":
      return new ToolRefusal(
        "rejected",
        "path.not-found",
        `${quotedPath(requested)} cannot be looked up: no permission.`,
      );
    case "loop":
      return brokenLink(requested, "goes round in circles");
    case "dangling":
      return brokenLink(requested, "leads to nothing");
    default:
      return unreachable(reason);
  }
}

function brokenLink(requested: string, about: string): ToolRefusal {
  const text = `${quotedPath(requested)} is refused: a symbolic link on the way ${about}. Use the real path.`;
  return new ToolRefusal("denied", "path.outside", text);
}
