import type { Command } from "commander";
import { withPermissionFlags, withSettingsFlags } from "../command-line/settings-flags.ts";
import { paragraphs } from "../command-line/wrapped-help.ts";
import type * as serverActions from "./server-actions.ts";

type Finish = (exitCode: number) => void;

/** Servers of the Model Context Protocol. */
export function addMcp(program: Command, finish: Finish): void {
  const mcp = program.command("mcp").description("servers that bring tools (Model Context Protocol)");
  withSettingsFlags(mcp.command("list"))
    .description("list the servers of the configuration; none is started")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await actions()).listServers(flags)));
  withSettingsFlags(mcp.command("get"))
    .argument("<name>")
    .description("show what is configured of a server, without secrets")
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
  withSettingsFlags(mcp.command("test"))
    .argument("[name]", "only this one, enabled or not (default: all that are enabled)")
    .description("start servers and list their tools; exit code 1 when one does not work")
    .option("--json", "a JSON object per server")
    .action(async (name: string | undefined, flags) => finish(await (await actions()).testServers(name, flags)));
  addServing(mcp, finish);
}

function addServing(mcp: Command, finish: Finish): void {
  withPermissionFlags(withSettingsFlags(mcp.command("serve")), { withoutToolNames: true })
    .description("be a server: other agents begin, continue, inspect and answer sessions (standard input and output)")
    .option("--tools", "also offer the tools of the workspace, under the same rules")
    .option("-m, --model <provider/id>", "the model of new sessions")
    .option("--effort <level>", "how much effort goes into answers: minimal, low, medium, high, xhigh or max")
    .option("--role <role>", "what the client may do: watch, ask, drive, approve or operate", "approve")
    .addHelpText("after", paragraphs("Setting up clients: docs/mcp.md. Log lines go to stderr."))
    .action(async (flags) => finish(await (await import("./serve.ts")).serveToClient(flags)));
}

function addAdding(mcp: Command, finish: Finish): void {
  mcp
    .command("add")
    .argument("<name>", "a part of its tools' names: mcp__NAME__tool")
    .argument("[command...]", "the program and its arguments, after --")
    .description("add a server to your configuration: a program, or an address")
    .option("--url <url>", "the address of a server over HTTP, in place of a program")
    .option("--bearer-token-env <variable>", "with --url: the variable that holds the token")
    .option("--basic-user <name>", "with --url: a name that goes with a password")
    .option("--basic-password-env <variable>", "with --basic-user: the variable that holds the password")
    .option("--transport <http|sse>", "with --url: sse for the older way (default: http)")
    .option("--header <name:value>", "with --url: a header of every request (repeatable)", collect)
    .option("--env <name=value>", "a variable of the program's environment (repeatable)", collect)
    .option("--directory <dir>", "where the program starts, in the workspace")
    .option("--host <host>", "a host that the program may reach (repeatable; default: no network)", collect)
    .option("--writes", "the program may change files of the workspace")
    .option("--json", "for machines")
    .addHelpText(
      "after",
      paragraphs(
        "Examples: `capstan mcp add memory -- mcp-server-memory` and `capstan mcp add docs --url https://mcp.example.com/mcp`. A value may name a variable of the environment, which is read at each start: --env 'TOKEN=${MY_TOKEN}'.",
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
