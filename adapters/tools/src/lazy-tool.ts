import type { Tool } from "@capstan/ports";

/** What is known of a tool before its code is loaded. `settles`: it stages its calls, and finds out after a crash what became of one. */
export type ToolOutline = Pick<Tool, "definition" | "effect"> & { readonly settles: boolean };

/**
 * A tool whose code is loaded when it is first called: the model is told about every tool, and a first request need not
 * wait for any.
 * @param load  the whole tools, by name
 */
export function lazyTool(
  { definition, effect, settles }: ToolOutline,
  load: () => Promise<ReadonlyMap<string, Tool>>,
): Tool {
  const whole = async (): Promise<Tool> => {
    const tool = (await load()).get(definition.name);
    if (tool === undefined) throw new Error(`nobody makes the tool ${definition.name}`);
    return tool;
  };
  const settling: Pick<Tool, "stage" | "probe"> = {
    stage: async (action, context) => {
      const tool = await whole();
      if (tool.stage === undefined) throw new Error(`${definition.name} does not stage`);
      return await tool.stage(action, context);
    },
    probe: async (action, settle, context) => {
      const tool = await whole();
      if (tool.probe === undefined) throw new Error(`${definition.name} does not probe`);
      return await tool.probe(action, settle, context);
    },
  };
  return {
    definition,
    aliases: [],
    effect,
    prepare: async (args, context) => await (await whole()).prepare(args, context),
    ...(settles ? settling : {}),
    run: async (action, staged, context) => await (await whole()).run(action, staged, context),
  };
}
