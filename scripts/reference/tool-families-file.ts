import { toolFamilies } from "@capstan/tools";

/** Where the gatekeeper reads it: a core package cannot ask the tools. */
export const toolFamiliesPath = "core/policy/src/rules/tool-families.ts";

/** The source file that says how rules speak of the built-in tools, made from their definitions. */
export function toolFamiliesFile(): string {
  const entries = toolFamilies.map(({ tool, names, pattern, contents }) => {
    const listed = names.map((name) => JSON.stringify(name)).join(", ");
    return `  {\n    tool: "${tool}",\n    names: [${listed}],\n    pattern: "${pattern}",\n    contents: "${contents}",\n  },\n`;
  });
  return `import type { ToolFamily } from "@capstan/protocol";

/** Written by \`npm run docs\` from the tools' definitions in \`adapters/tools/src/definitions\`, in their order. */
export const toolFamilies: readonly ToolFamily[] = [
${entries.join("")}];
`;
}
