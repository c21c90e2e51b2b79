import type { Tool } from "@capstan/ports";

/** A tool that reads and says its name. */
export function namedTool(name: string): Tool {
  return {
    definition: { name, description: `Says ${name}.`, inputSchema: { type: "object" } },
    aliases: [],
    effect: "read",
    prepare: async (args) =>
      await Promise.resolve({ tool: name, arguments: args, effect: "read", risk: "low", paths: [], summary: name }),
    run: async () => await Promise.resolve({ status: "ok", content: name }),
  };
}
