/** A plugin that counts words. It runs in the sandbox, with the workspace read-only; `package.json` names it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly effect: "read" | "write" | "execute";
  execute(args: Record<string, unknown>): Promise<string>;
}

interface Context {
  readonly workspace: { readonly cwd: string };
  readonly registerTool: (tool: Tool) => void;
}

const plugin = {
  name: "word-count",
  version: "1.0.0",
  description: "Counts the words of a file.",
  initialize({ workspace, registerTool }: Context): void {
    registerTool({
      name: "count_words",
      description: "Counts the words of a text file of the workspace.",
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      effect: "read",
      execute: async ({ path }) => {
        const text = await readFile(join(workspace.cwd, String(path)), "utf8");
        const words = text.split(/\s+/).filter((word) => word !== "");
        return `${words.length} words`;
      },
    });
  },
};

// oxlint-disable-next-line import/no-default-export -- that is how a plugin is found
export default plugin;
