import type { Tool } from "@capstan/ports";
import { applyPatchDefinition } from "./definitions/apply-patch-definition.ts";
import { editFileDefinition } from "./definitions/edit-file-definition.ts";
import { globDefinition } from "./definitions/glob-definition.ts";
import { readFileDefinition } from "./definitions/read-file-definition.ts";
import { runCommandDefinition } from "./definitions/run-command-definition.ts";
import { searchDefinition } from "./definitions/search-definition.ts";
import { askUserDefinition, exitPlanModeDefinition, updatePlanDefinition } from "./definitions/session-definitions.ts";
import { writeFileDefinition } from "./definitions/write-file-definition.ts";
import { lazyTool, type ToolOutline } from "./lazy-tool.ts";
import type { ToolsOptions } from "./options.ts";

/** Every tool, in the order the model reads them; their code comes with the first call. */
export function builtInTools(options: ToolsOptions): readonly Tool[] {
  let making: Promise<ReadonlyMap<string, Tool>> | undefined;
  const make = async (): Promise<ReadonlyMap<string, Tool>> => (await import("./tool-makers.ts")).makeTools(options);
  return outlines(options).map((outline) => lazyTool(outline, () => (making ??= make())));
}

function outlines(options: ToolsOptions): readonly ToolOutline[] {
  const reading = { effect: "read", settles: false } as const;
  const session = { effect: "session", settles: false } as const;
  const writing = { effect: "write", settles: true } as const;
  return [
    { definition: readFileDefinition, ...reading },
    { definition: writeFileDefinition, ...writing },
    { definition: editFileDefinition, ...writing },
    { definition: applyPatchDefinition, ...writing },
    { definition: runCommandDefinition(options), effect: "execute", settles: true },
    { definition: globDefinition(options), ...reading },
    { definition: searchDefinition(options), ...reading },
    { definition: askUserDefinition, ...session },
    { definition: updatePlanDefinition, ...session },
    { definition: exitPlanModeDefinition, ...session },
  ];
}
