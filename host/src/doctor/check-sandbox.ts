import { AppError, messageOf, unreachable } from "@capstan/protocol";
import { prepareDataDirectory } from "@capstan/settings";
import type { Settings } from "../load-settings.ts";
import { testSandbox } from "../open-sandbox.ts";
import type { Check } from "@capstan/protocol";
import { bad, good, note } from "@capstan/doctor";

const name = "sandbox";

/** Whether commands are kept apart from the machine, as the self-test finds it, and what is missing. */
export async function checkSandbox(settings: Settings): Promise<Check> {
  const { mode, unavailable } = settings.loaded.values.sandbox;
  if (mode === "off") return note(name, "switched off (sandbox.mode): commands run with all your rights");
  try {
    const isolation = await testSandbox(settings, await prepareDataDirectory(settings.home));
    switch (isolation.type) {
      case "enforced":
        return good(name, "enforced: the self-test tried to get out, and could not");
      case "partial":
        return bad(name, `not whole: commands could ${isolation.lacks.join(", ")}`, advice);
      case "none": {
        const reported = `none: ${isolation.reason}`;
        return unavailable === "run_without_isolation" && mode === "preferred"
          ? note(name, `${reported}; commands run without it (sandbox.unavailable)`)
          : bad(name, reported, /\b(ENOSPC|EDQUOT)\b/.test(isolation.reason) ? freeSpace(settings) : advice);
      }
      default:
        return unreachable(isolation);
    }
  } catch (error) {
    // What kept it from being tried has a remedy of its own; a missing sandbox is not what was found.
    const remedy = error instanceof AppError ? error.hint : undefined;
    return bad(name, `cannot be tried: ${messageOf(error)}`, remedy ?? advice);
  }
}

/** A full disk keeps a sandbox from being tried; nothing needs to be installed. */
function freeSpace({ home }: Settings): string {
  return `Free space on the disk that holds ${home}, then ask again.`;
}

const advice =
  "Install bubblewrap (`apt install bubblewrap`, `dnf install bubblewrap`) and allow user namespaces for it (sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces; an AppArmor profile on Ubuntu 24.04 and later; in a container, a seccomp profile that lets them). Until then commands are refused where nobody can be asked.";
