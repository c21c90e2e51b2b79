import type { Tool } from "@capstan/ports";

/** What is known of a tool before its code is loaded. */
export type ToolOutline = Pick<Tool, "definition" | "effect"> & { readonly stages: boolean };

/**
 * A tool whose code is loaded when it is first called: the model is told about every tool, and a first request need not
 * wait for any.
 * @param load  the whole tools, by name
 */
export function lazyTool(
  { definition, effect, stages }: ToolOutline,
  load: () => Promise<ReadonlyMap<string, Tool>>,
): Tool {
  const whole = async (): Promise<Tool> => {
    const tool = (await load()).get(definition.name);
    if (tool === undefined) throw new Error(`nobody makes the tool ${definition.name}`);
    return tool;
  };
  const staging: Pick<Tool, "stage"> = {
    stage: async (action, context) => {
      const tool = await whole();
      if (tool.stage === undefined) throw new Error(`${definition.name} does not stage`);
      return await tool.stage(action, context);
    },
  };
  return {
    definition,
    aliases: [],
    effect,
    prepare: async (args, context) => await (await whole()).prepare(args, context),
    ...(stages ? staging : {}),
    run: async (action, staged, context) => await (await whole()).run(action, staged, context),
  };
}
