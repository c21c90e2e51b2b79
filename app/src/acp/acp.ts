import { serveAcp } from "@capstan/acp";
import { oneOf } from "@capstan/cli";
import { AppError, type Role, roles } from "@capstan/protocol";
import { checkSettingsFlags, isYolo, type SettingsFlags } from "../command-line/settings-flags.ts";
import { serveProgram, warnOfYolo } from "../serving/serve-program.ts";
import { HostPlaces } from "./engine-places.ts";
import { setUp } from "./set-up.ts";

export interface AcpFlags extends SettingsFlags {
  readonly role: string;
  readonly setup?: boolean;
}

/** `capstan acp`: serves the editor that started this process. Standard output carries the protocol and nothing else. */
export async function acp(flags: AcpFlags): Promise<number> {
  if (flags.setup === true) return await setUp();
  const role = oneOf<Role>(roles, flags.role, "--role");
  checkSettingsFlags(flags);
  if (process.stdin.isTTY)
    throw new AppError("usage.invalid", "`capstan acp` speaks with an editor, and standard input is a terminal", {
      hint: "Let the editor start it; docs/acp.md shows how. `capstan acp --setup` writes the configuration.",
    });
  if (isYolo(flags)) warnOfYolo();
  const places = new HostPlaces(flags);
  return await serveProgram({
    frontend: "acp",
    role,
    serve: async (streams) => await serveAcp({ ...streams, places }),
    close: async () => await places.close(),
  });
}
