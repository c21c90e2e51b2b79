import {
  addServerTable,
  dataDirectory,
  describeOrigin,
  didYouMean,
  maskSecrets,
  type McpServerConfig,
  prepareDataDirectory,
  removeServerTable,
  type Settings,
} from "@capstan/host";
import { changedTools, loginTo, logoutFrom, type NamedServer, namedServers } from "@capstan/mcp-servers";
import { AppError, isJsonObject, type JsonObject } from "@capstan/protocol";
import { type SettingsFlags, settingsFromFlags, warningsOf } from "../command-line/settings-flags.ts";
import { visibleText } from "../visible-text.ts";
import { type ApproveFlags, approveServer } from "./approve-tools.ts";
import { type AddFlags, serverValues } from "./server-values.ts";
import { type TestedServer, tryServer } from "./try-server.ts";

interface OutputFlags extends SettingsFlags {
  readonly json?: boolean;
}

/** `capstan mcp list`: what is configured. */
export async function listServers(flags: OutputFlags): Promise<number> {
  const settings = await settingsFor(flags);
  const servers = await serversOf(settings);
  if (flags.json === true) {
    for (const server of servers) print(JSON.stringify(shownServer(settings, server)));
    return 0;
  }
  if (servers.length === 0) print(noServer(settings));
  const width = Math.max(0, ...servers.map(({ name }) => name.length)) + 2;
  for (const server of servers) {
    const { name, config, file } = server;
    print(visibleText(`${name.padEnd(width)}${placeText(config)}${file === null ? "" : `  (from ${file})`}`));
    const changed = await changedNames(settings, server);
    if (changed.length > 0)
      print(
        visibleText(`${" ".repeat(width)}changed, and left out: ${changed.join(", ")} (capstan mcp approve ${name})`),
      );
  }
  return 0;
}

/** `capstan mcp get NAME`. */
export async function showServer(name: string, flags: OutputFlags): Promise<number> {
  const settings = await settingsFor(flags);
  const server = await requireServer(settings, name);
  const { from, ...shown } = shownServer(settings, server);
  if (flags.json === true) print(JSON.stringify({ ...shown, from }));
  else {
    print(`${name} (${visibleText(from)})`);
    for (const [key, value] of Object.entries(shown))
      if (key !== "name") print(`  ${key} = ${visibleText(JSON.stringify(value))}`);
    const changed = await changedNames(settings, server);
    if (changed.length > 0) print(visibleText(`  changed, and left out: ${changed.join(", ")}`));
  }
  return 0;
}

/** Tools that were not as they were when the server was last started. One that cannot be meant so has none. */
async function changedNames(settings: Settings, server: NamedServer): Promise<readonly string[]> {
  const data = await prepareDataDirectory(settings.home);
  const changed = await changedTools(server, settings, data).catch(() => null);
  return changed === null ? [] : changed.tools.map(({ name }) => name);
}

/** `capstan mcp add NAME`: a table more in the user's file. */
export async function addServer(name: string, command: readonly string[], flags: AddFlags): Promise<number> {
  const { configFile: file } = await prepareDataDirectory(dataDirectory(process.env));
  await addServerTable(file, name, serverValues(command, flags));
  if (flags.json === true) print(JSON.stringify({ added: name, file }));
  else print(`Added [mcp_servers.${name}] to ${visibleText(file)}. Try it: capstan mcp test ${name}`);
  return 0;
}

/** `capstan mcp remove NAME`: exit code 1 when the user's file has none of that name. */
export async function removeServer(name: string, flags: { readonly json?: boolean }): Promise<number> {
  const { configFile: file } = await prepareDataDirectory(dataDirectory(process.env));
  const isRemoved = await removeServerTable(file, name);
  if (flags.json === true) print(JSON.stringify({ removed: isRemoved ? name : null, file }));
  else if (isRemoved) print(`Removed [mcp_servers.${name}] from ${visibleText(file)}.`);
  else print(`There is no [mcp_servers.${visibleText(name)}] in ${visibleText(file)}.`);
  return isRemoved ? 0 : 1;
}

/** `capstan mcp login NAME`: the address is shown on standard error, and nothing of what comes is shown at all. */
export async function loginServer(name: string, flags: OutputFlags): Promise<number> {
  const settings = await settingsFor(flags);
  const server = await requireServer(settings, name);
  const stopped = new AbortController();
  process.once("SIGINT", () => stopped.abort());
  await loginTo(server, settings, {
    data: await prepareDataDirectory(settings.home),
    show: showAddress,
    signal: stopped.signal,
  });
  print(`Logged in to ${name}. Try it: capstan mcp test ${name}`);
  return 0;
}

function showAddress(address: string): void {
  process.stderr.write(`Open this address in your browser, and allow it there:\n\n  ${visibleText(address)}\n\n`);
}

/** `capstan mcp logout NAME`. */
export async function logoutServer(name: string, flags: OutputFlags): Promise<number> {
  const settings = await settingsFor(flags);
  const server = await requireServer(settings, name);
  const wasThere = await logoutFrom(server, settings, await prepareDataDirectory(settings.home));
  print(wasThere ? `The login to ${name} is forgotten here.` : `There is no login to ${name}.`);
  return wasThere ? 0 : 1;
}

/** `capstan mcp approve NAME`: exit code 1 while something waits to be taken. */
export async function approveChanges(name: string, flags: OutputFlags & ApproveFlags): Promise<number> {
  const settings = await settingsFor(flags);
  return await approveServer(await requireServer(settings, name), settings, flags);
}

/** `capstan mcp test [NAME]`: starts servers as a session does, all at once. */
export async function testServers(name: string | undefined, flags: OutputFlags): Promise<number> {
  const settings = await settingsFor(flags);
  if (name !== undefined) await requireServer(settings, name);
  const servers = await serversOf(settings);
  const names = name === undefined ? servers.flatMap((one) => (one.config.enabled ? [one.name] : [])) : [name];
  if (names.length === 0 && flags.json !== true) print("No server is configured and enabled.");
  const tested = await Promise.all(names.map(async (one) => await tryServer(settings, one)));
  for (const one of tested)
    if (flags.json === true) print(JSON.stringify(one));
    else for (const line of testedLines(one)) print(line);
  return tested.every(({ works }) => works) ? 0 : 1;
}

function testedLines({ name, works, tools, problems }: TestedServer): readonly string[] {
  const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  return [
    works ? `${name} works: ${count}` : `${name} does not work`,
    ...tools.map((tool) => `  ${tool.name}${tool.description === "" ? "" : `  ${firstLine(tool.description)}`}`),
    ...problems.map((problem) => `  ${visibleText(problem)}`),
  ];
}

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return visibleText(line.length > 100 ? `${line.slice(0, 99)}…` : line);
}

async function settingsFor(flags: SettingsFlags): Promise<Settings> {
  const settings = await settingsFromFlags(flags);
  for (const warning of warningsOf(settings)) process.stderr.write(`capstan: ${warning}\n`);
  return settings;
}

/** Those of the user, and of the workspace; what is left out of a file is said. */
async function serversOf(settings: Settings): Promise<readonly NamedServer[]> {
  const { servers, notices } = await namedServers(settings);
  for (const { text } of notices) process.stderr.write(`capstan: ${visibleText(text)}\n`);
  return servers;
}

function noServer({ trust }: Settings): string {
  return trust.ignored.some((place) => place.class === "mcp-servers")
    ? "No server is configured. This folder brings servers along; they count once you trust it: capstan trust add"
    : "No server is configured. Add one: capstan mcp add NAME -- PROGRAM";
}

async function requireServer(settings: Settings, name: string): Promise<NamedServer> {
  const servers = await serversOf(settings);
  const found = servers.find((server) => server.name === name);
  if (found !== undefined) return found;
  const names = servers.map((server) => server.name);
  throw new AppError("usage.invalid", `no MCP server is named ${JSON.stringify(name)}${didYouMean(name, names)}`, {
    hint: "`capstan mcp list` shows them.",
  });
}

/** What is said of a server, secrets masked, and where. */
function shownServer(
  { loaded }: Settings,
  { name, config, file }: NamedServer,
): JsonObject & { readonly from: string } {
  if (file !== null)
    return { name, ...toJson({ ...config, env: masked(config.env), headers: masked(config.headers) }), from: file };
  const { values, origins } = loaded;
  const { mcp_servers: servers = {} } = maskSecrets(values);
  const own = isJsonObject(servers) ? servers[name] : undefined;
  const [, origin] =
    [...origins].find(([key, { layer }]) => key.startsWith(`mcp_servers.${name}.`) && layer !== "default") ?? [];
  return { name, ...(isJsonObject(own) ? own : {}), from: describeOrigin(origin ?? { layer: "default" }) };
}

function masked(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(values).map((key) => [key, "***"]));
}

function toJson(config: McpServerConfig): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(config));
  return isJsonObject(value) ? value : {};
}

function placeText({ enabled, command, args, url }: McpServerConfig): string {
  const place = url ?? [command ?? "(no command)", ...args].join(" ");
  return enabled ? place : `${place}  (not enabled)`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
