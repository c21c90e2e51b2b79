import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "@capstan/ports";
import { toSessionId } from "@capstan/protocol";
import { workspaceReader } from "@capstan/tools";
import { onTestFinished } from "vitest";
import { LanguageServers } from "../../src/language-servers.ts";
import type { NamedServer } from "../../src/server/named-server.ts";

/** Long enough for a server that answers, on any machine; short where one has said all. */
const waits = { settleMs: 60_000, quietMs: 5 };

const script = join(import.meta.dirname, "scripted-server.mjs");

export const session: ReturnType<typeof toSessionId> = toSessionId("one");

/** Programs run as they are: what the sandbox keeps from them is tried with the real one. */
const openSandbox: Sandbox = {
  test: async () => await Promise.resolve({ type: "none", reason: "a test" }),
  enter: async ({ file, args, environment }) =>
    await Promise.resolve({
      file,
      args,
      environment,
      descriptors: [],
      finish: async () => await Promise.resolve({ runsLater: [], quarantined: [], refusedHosts: [] }),
    }),
  endSession: async () => await Promise.resolve(),
};

/** A server that behaves in one of the scripted ways. */
export function scripted(way: string, changes: Partial<NamedServer> = {}): NamedServer {
  return {
    name: way,
    command: process.execPath,
    args: [script, way],
    env: {},
    extensions: [".txt"],
    language: null,
    startupTimeoutMs: 60_000,
    ...changes,
  };
}

/** A workspace with language servers. */
export class ServersPlace {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "capstan-languages-")));
  readonly servers: LanguageServers;

  constructor(...servers: readonly NamedServer[]) {
    const workspace = { cwd: this.folder, roots: [this.folder] };
    this.servers = new LanguageServers(servers, {
      sandbox: openSandbox,
      workspace,
      searchPath: "/usr/local/bin:/usr/bin:/bin",
      waits,
      read: workspaceReader(workspace, ["**/.env"]),
    });
    onTestFinished(async () => {
      await this.servers.end();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  /** Writes, as a session's model does. @returns the texts of the errors that are new to it */
  async change(name: string, text: string, who: typeof session = session): Promise<readonly string[]> {
    const path = this.write(name, text);
    return textsOf(await this.servers.changed(who, [path], never));
  }
}

export const never: AbortSignal = new AbortController().signal;

export function textsOf(files: Awaited<ReturnType<LanguageServers["news"]>>): readonly string[] {
  return files.flatMap(({ problems }) => problems.map(({ line, text }) => `${line}: ${text}`));
}
