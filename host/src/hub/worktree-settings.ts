import { pathInWorktree, policyInWorktree, worktreeOf } from "@capstan/agents";
import type { Settings } from "../load-settings.ts";

/** The settings of an agent's working tree: those of the folder that it was made from, for its own folder. @returns `null`: it is none */
export async function settingsOfWorktree(
  cwd: string,
  folder: string,
  settingsIn: (cwd: string) => Promise<Settings>,
): Promise<Settings | null> {
  const note = worktreeOf(folder, cwd);
  if (note === undefined) return null;
  const settings = await settingsIn(note.callerCwd);
  const { loaded, policy, workspace: from } = settings;
  const workspace = { cwd, roots: [cwd] };
  const { sandbox } = loaded.values.tools;
  const denied = sandbox.denied_patterns.flatMap((pattern) => pathInWorktree(pattern, from, workspace) ?? []);
  const tools = {
    ...loaded.values.tools,
    sandbox: { ...sandbox, denied_patterns: [...sandbox.denied_patterns, ...denied] },
  };
  return {
    ...settings,
    workspace,
    policy: policyInWorktree(policy, from, workspace),
    loaded: { ...loaded, values: { ...loaded.values, tools } },
  };
}
