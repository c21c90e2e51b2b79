import { spillFolder } from "../paths/spill-folder.ts";
import { keepResult } from "./keep-result.ts";
import type { ToolSource } from "@capstan/ports";
import type { ToolFamily } from "@capstan/protocol";
import { applyPatch } from "../definitions/apply-patch.ts";
import { askUser } from "../definitions/ask-user.ts";
import { commandOutput } from "../definitions/command-output.ts";
import { editFile } from "../definitions/edit-file.ts";
import { editNotebook } from "../definitions/edit-notebook.ts";
import { exitPlanMode } from "../definitions/exit-plan-mode.ts";
import { gitToolEntries, gitTools } from "../definitions/git/git-tools.ts";
import { glob } from "../definitions/glob.ts";
import { listDirectory } from "../definitions/list-directory.ts";
import { proposeChanges } from "../definitions/proposals/propose-changes.ts";
import { readFile } from "../definitions/read-file.ts";
import { readManyFiles } from "../definitions/read-many-files.ts";
import { recall, recallEntry } from "../definitions/recall.ts";
import { remember, rememberEntry } from "../definitions/remember.ts";
import { runCommand } from "../definitions/run-command.ts";
import { runJs } from "../definitions/code/run-js.ts";
import { search } from "../definitions/search.ts";
import { searchToolsEntry } from "../definitions/search-tools.ts";
import { skill, skillEntry } from "../definitions/skill.ts";
import { spawnAgent, spawnAgentEntry } from "../definitions/spawn-agent.ts";
import { stopCommand } from "../definitions/stop-command.ts";
import { updatePlan } from "../definitions/update-plan.ts";
import { webFetch, webFetchEntry } from "../definitions/web/web-fetch.ts";
import { webSearch, webSearchEntry } from "../definitions/web/web-search.ts";
import { writeFile } from "../definitions/write-file.ts";
import type { ToolsOptions } from "../options.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import type { ToolEntry } from "../tool-entry.ts";
import { lazyTool } from "./lazy-tool.ts";

/** The tools that every session has, in the order the model reads them (its cache depends on it). */
const entries: readonly ToolEntry[] = [
  readFile,
  writeFile,
  editFile,
  applyPatch,
  runCommand,
  commandOutput,
  stopCommand,
  glob,
  search,
  listDirectory,
  readManyFiles,
  askUser,
  updatePlan,
  exitPlanMode,
  editNotebook,
  proposeChanges,
  runJs,
];

/** How rules speak of Capstan's tools. `npm run docs` writes it where rules are read (core/policy). */
export const toolFamilies: readonly ToolFamily[] = [
  ...entries,
  recallEntry,
  rememberEntry,
  skillEntry,
  spawnAgentEntry,
  searchToolsEntry,
  webFetchEntry,
  webSearchEntry,
  ...gitToolEntries,
].map(({ name, rules }) => ({
  tool: name,
  ...rules,
}));

/** Loads what the first call would wait for; a failure is that call's to report. */
async function loadBuiltIns(): Promise<void> {
  await import("../implementations.ts").catch(() => undefined);
}

/** The built-in tools. They never change. */
export function builtInSource(options: ToolsOptions): ToolSource {
  let loading: Promise<WorkspacePaths> | undefined;
  const load = async (): Promise<WorkspacePaths> => new (await import("../implementations.ts")).WorkspacePaths(options);
  const parts = { options, paths: () => (loading ??= load()) };
  const { memory, skills, agents, pages, git, webSearch: searching } = options;
  const all = [
    ...entries,
    ...(memory === undefined ? [] : [recall(memory), remember(memory)]),
    ...(skills === undefined ? [] : [skill(skills)]),
    ...(agents === undefined ? [] : [spawnAgent(agents)]),
    ...(pages === undefined ? [] : [webFetch(pages)]),
    ...(searching === undefined ? [] : [webSearch(searching)]),
    ...(git === undefined ? [] : gitTools(git)),
  ];
  const tools = all.map((entry) => lazyTool(entry, parts));
  return {
    label: "Capstan",
    tools: () => tools,
    reservedNames: () => toolFamilies.flatMap(({ tool, names }) => [tool, ...names]),
    subscribe: () => () => undefined,
    prepare: () => void loadBuiltIns(),
    keepResult: async (sessionId, callId, text) =>
      await keepResult(spillFolder(options.spillDirectory, { sessionId }), callId, text),
    close: async () => await Promise.resolve(),
  };
}
