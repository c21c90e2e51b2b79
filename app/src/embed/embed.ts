import { oneOf } from "@capstan/cli";
import { serveLines } from "@capstan/jsonl";
import { AppError, type Role, roles } from "@capstan/protocol";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { openServed, serveProgram } from "../serving/serve-program.ts";

export interface EmbedFlags extends SettingsFlags {
  readonly role: string;
  readonly detach?: boolean;
  /** What only another dialect has. */
  readonly prompt?: string;
}

/** `capstan embed`: serves the engine to the program that started this process. Standard output carries the protocol and nothing else. */
export async function embed(flags: EmbedFlags): Promise<number> {
  const role = oneOf<Role>(roles, flags.role, "--role");
  if (flags.prompt !== undefined)
    throw new AppError("usage.invalid", "only `--dialect ted` takes a prompt here: what to do comes as lines", {
      hint: "See docs/embed.md.",
    });
  if (process.stdin.isTTY)
    throw new AppError("usage.invalid", "`capstan embed` speaks with a program, and standard input is a terminal", {
      hint: "Start it from a program, with pipes; docs/embed.md shows how.",
    });
  const { host } = await openServed(flags);
  const atEnd = flags.detach === true ? "detach" : "finish-turns";
  return await serveProgram({
    frontend: "embed",
    role,
    serve: async (streams) => await serveLines(host.client, { ...streams, atEnd }),
    close: async () => await host.close(),
  });
}
