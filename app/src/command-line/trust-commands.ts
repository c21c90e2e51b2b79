import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as otherCommands from "../commands/other-commands.ts";

/** Who is trusted to say how Capstan works: the folders. */
export function addTrustCommands(program: Command, finish: (exitCode: number) => void): void {
  const trust = program
    .command("trust")
    .description("trust folders, so that their configuration, instructions and programs count");
  commandAlone(trust, "list")
    .description("list what is trusted, and whether it is still as it was")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await others()).listTrusted(flags)));
  trust
    .command("add")
    .argument("[dir]", "default: this directory; the repository around it is what is trusted")
    .description("trust a folder with what it brings along now; one changed byte of that asks again")
    .option("--json", "for machines")
    .action(async (directory: string | undefined, flags) =>
      finish(await (await others()).addTrusted(directory, flags)),
    );
  trust
    .command("revoke")
    .argument("[dir]", "default: this directory")
    .description("no longer trust a folder")
    .option("--all", "all folders")
    .option("--json", "for machines")
    .action(async (directory: string | undefined, flags) =>
      finish(await (await others()).revokeTrusted(directory, flags)),
    );
}

async function others(): Promise<typeof otherCommands> {
  return await import("../commands/other-commands.ts");
}
