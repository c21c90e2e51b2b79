import type { Settings } from "@capstan/settings";
import type { WorkspaceTrust } from "@capstan/trust";

/** What says which hooks there are. */
export interface HookPlaces {
  readonly loaded: Settings["loaded"];
  readonly env: Settings["env"];
  readonly trust: Pick<WorkspaceTrust, "approved" | "folder">;
}

const file = /\/\.(?:capstan\/hooks\.json|claude\/settings(?:\.local)?\.json)$/;

/** Files of the workspace that may name hooks and that the user trusts as they are. */
export function trustedFiles({ trust }: Pick<HookPlaces, "trust">): readonly string[] {
  return [...trust.approved.keys()].filter((path) => file.test(path));
}
