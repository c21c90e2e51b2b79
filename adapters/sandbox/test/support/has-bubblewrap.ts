import { existsSync } from "node:fs";

/** Without it nothing of the sandbox can be tested; `.ci/run` installs it. */
export const hasBubblewrap: boolean = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"].some((path) =>
  existsSync(path),
);
