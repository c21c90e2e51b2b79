import { programSource } from "@capstan/host";
import type { ProgramTool, ToolSource } from "@capstan/ports";

type Tools = readonly ProgramTool[] | ToolSource;

/** The program's tools, then those of its plugins whose names are free. @param outputBytes  what one result may bring to the model */
export function addTools(
  given: Tools | undefined,
  added: readonly ProgramTool[],
  outputBytes: number,
): Tools | undefined {
  if (added.length === 0) return given;
  if (given === undefined || !("subscribe" in given)) {
    const taken = new Set(given?.map(({ name }) => name));
    return [...(given ?? []), ...added.filter(({ name }) => !taken.has(name))];
  }
  const plugins = programSource(added, outputBytes);
  return {
    label: given.label,
    tools: () => {
      const own = given.tools();
      const taken = new Set(own.map(({ definition }) => definition.name));
      return [...own, ...plugins.tools().filter(({ definition }) => !taken.has(definition.name))];
    },
    reservedNames: () => given.reservedNames(),
    subscribe: (onChange) => given.subscribe(onChange),
    close: () => given.close(),
  };
}
