import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import { withPermissionFlags, withSettingsFlags } from "../command-line/settings-flags.ts";
import { paragraphs } from "../command-line/wrapped-help.ts";
import type * as serverActions from "./server-actions.ts";

type Finish = (exitCode: number) => void;

/** Servers of the Model Context Protocol. */
export function addMcp(program: Command, finish: Finish): void {
  const mcp = program.command("mcp").description("servers that bring tools (Model Context Protocol)");
  withSettingsFlags(commandAlone(mcp, "list"))
    .description("list the configured servers; none is started")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await actions()).listServers(flags)));
  withSettingsFlags(mcp.command("get"))
    .argument("<name>")
    .description("show one of them, without secrets")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await actions()).showServer(name, flags)));
  addAdding(mcp, finish);
  mcp
    .command("remove")
    .argument("<name>")
    .description("take a server out of your configuration")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await actions()).removeServer(name, flags)));
  withSettingsFlags(mcp.command("login"))
    .argument("<name>")
    .description("log in to a server over HTTP, in your browser")
    .action(async (name: string, flags) => finish(await (await actions()).loginServer(name, flags)));
  withSettingsFlags(mcp.command("logout"))
    .argument("<name>")
    .description("forget a login; exit code 1 when there was none")
    .action(async (name: string, flags) => finish(await (await actions()).logoutServer(name, flags)));
  withSettingsFlags(mcp.command("approve"))
    .argument("<name>")
    .description("show how tools changed since you had them; exit code 1 while they wait")
    .option("--digest <digest>", "take what it was shown with")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await actions()).approveChanges(name, flags)));
  withSettingsFlags(mcp.command("test"))
    .argument("[name]", "only this one, enabled or not")
    .description("start servers and list tools; exit code 1 when one does not work")
    .option("--json", "a JSON object per server")
    .action(async (name: string | undefined, flags) => finish(await (await actions()).testServers(name, flags)));
  addServing(mcp, finish);
}

function addServing(mcp: Command, finish: Finish): void {
  withPermissionFlags(withSettingsFlags(mcp.command("serve")), { withoutToolNames: true })
    .description("serve sessions to other agents, on standard input and output (docs/mcp.md)")
    .option("--tools", "also the tools of the workspace")
    .option("-m, --model <provider/id>", "the model of new sessions")
    .option("--role <role>", "watch, ask, drive, approve (answers questions, too) or operate", "drive")
    .action(async (flags) => finish(await (await import("./serve.ts")).serveToClient(flags)));
}

function addAdding(mcp: Command, finish: Finish): void {
  mcp
    .command("add")
    .argument("<name>", "a part of its tools' names: mcp__NAME__tool")
    .argument("[command...]", "the program and its arguments, after --")
    .description("add a program, or an address, to your configuration")
    .option("--url <url>", "the address of a server over HTTP, in place of a program")
    .option("--bearer-token-env <variable>", "with --url: the variable that holds the token")
    .option("--basic-user <name>", "with --url: a name that goes with a password")
    .option("--basic-password-env <variable>", "with --basic-user: the variable that holds the password")
    .option("--transport <http|sse>", "with --url: sse for the older way (default: http)")
    .option("--header <name:value>", "with --url: a header (repeatable)", collect)
    .option("--env <name=value>", "a variable of the program's environment (repeatable)", collect)
    .option("--directory <dir>", "where the program starts, in the workspace")
    .option("--host <host>", "a host that the program may reach (repeatable)", collect)
    .option("--writes", "the program may change files of the workspace")
    .option("--json", "for machines")
    .addHelpText(
      "after",
      paragraphs(
        "Examples: `capstan mcp add memory -- mcp-server-memory` and `capstan mcp add docs --url https://mcp.example.com/mcp`. A value may name a variable, read at each start: --env 'TOKEN=${MY_TOKEN}'.",
      ),
    )
    .action(async (name: string, command: readonly string[], flags) =>
      finish(await (await actions()).addServer(name, command, flags)),
    );
}

async function actions(): Promise<typeof serverActions> {
  return await import("./server-actions.ts");
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
