import { join } from "node:path";
import type { SessionPlace } from "@capstan/protocol";
import type { Settings } from "../load-settings.ts";

/** What frontends show of where a session runs: trust, and which files with rules and settings count. */
export function placeOf({ loaded, home, trust, policyFiles }: Settings): SessionPlace {
  const project = trust.places.flatMap((place) => (place.class === "configuration" ? [place.path] : []));
  // A file of a folder that is not trusted is there, and the warnings say why it does not count.
  const found = new Set([...loaded.files, ...policyFiles, ...project]);
  const usual = [
    join(home, "config.toml"),
    ...(project.length === 0 ? [join(trust.folder, ".capstan", "config.toml")] : []),
  ];
  const paths = [...new Set([...usual, ...found])];
  return {
    projectRoot: trust.folder,
    trusted: trust.trusted,
    policyFiles: paths.map((path) => ({ path, state: found.has(path) ? "found" : "missing" })),
    warnings: trust.notices.flatMap(({ level, text }) => (level === "warning" ? [text] : [])),
  };
}
