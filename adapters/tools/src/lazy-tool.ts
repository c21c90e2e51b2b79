import type { Tool } from "@capstan/ports";

/** What is known of a tool before its code is loaded. */
export type ToolOutline = Pick<Tool, "definition" | "effect"> & { readonly stages: boolean };

/**
 * A tool whose code is loaded when it is first called: the model is told about every tool, and most runs call few.
 * @param load  makes the whole tool; called once
 */
export function lazyTool({ definition, effect, stages }: ToolOutline, load: () => Promise<Tool>): Tool {
  let loading: Promise<Tool> | undefined;
  const whole = (): Promise<Tool> => (loading ??= load());
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
