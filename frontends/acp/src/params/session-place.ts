import { invalidParams } from "../peer/rpc-error.ts";
import { maxDirectories, maxServers } from "../limits.ts";
import type { Fields } from "./fields.ts";

/** Where a session works, and what its editor passes for it. Paths are absolute. */
export interface SessionPlace {
  readonly cwd: string;
  readonly directories: readonly string[];
  readonly servers: readonly EditorServer[];
}

/** A server of the Model Context Protocol that an editor passes. Its name is one that tools can have. */
export interface EditorServer {
  readonly name: string;
  readonly place:
    | {
        readonly type: "program";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
      }
    | { readonly type: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> };
}

/** @throws RpcError naming the field */
export function readPlace(params: Fields): SessionPlace {
  const directories = params.optional(
    "additionalDirectories",
    () => params.texts("additionalDirectories", maxDirectories),
    [],
  );
  const relative = directories.find((path) => !path.startsWith("/"));
  if (relative !== undefined)
    throw invalidParams(`params.additionalDirectories: ${JSON.stringify(relative)} is no absolute path`);
  return { cwd: params.path("cwd"), directories, servers: readServers(params) };
}

function readServers(params: Fields): readonly EditorServer[] {
  const servers = params.optional("mcpServers", () => params.objects("mcpServers", maxServers), []).map(readServer);
  const names = servers.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalidParams(`params.mcpServers: two of the servers have the name ${twice}`);
  return servers;
}

function readServer(server: Fields): EditorServer {
  const name = nameOf(server);
  const type = server.optionalText("type");
  if (type === "http")
    return { name, place: { type: "http", url: server.text("url"), headers: pairs(server, "headers") } };
  if (type !== undefined && type !== "stdio")
    throw server.wrong(`servers of the type ${JSON.stringify(type)} are not taken: programs and http are`);
  const args = server.optional("args", () => server.texts("args", 1000), []);
  return { name, place: { type: "program", command: server.text("command"), args, env: pairs(server, "env") } };
}

/** As tools are called by it: letters and digits, with single dashes between them. */
function nameOf(server: Fields): string {
  const name = server
    .text("name")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .slice(0, 32)
    .replaceAll(/^-|-$/g, "");
  if (name === "") throw server.wrong("`name` has no letter or digit");
  return name;
}

function pairs(server: Fields, field: string): Readonly<Record<string, string>> {
  const list = server.optional(field, () => server.objects(field, 1000), []);
  return Object.fromEntries(list.map((pair) => [pair.text("name"), pair.text("value")]));
}
