import type { Policy, Workspace } from "@capstan/protocol";

/** A policy for a working tree: rules about paths in the folder that it was made from hold for the same paths in it, too. */
export function policyInWorktree(policy: Policy, from: Workspace, to: Workspace): Policy {
  const moved = policy.rules.flatMap((rule) => {
    const path = rule.path === undefined ? undefined : pathInWorktree(rule.path, from, to);
    // What was allowed there was allowed for that very file.
    return path === undefined || rule.verdict === "allow" ? [] : [{ ...rule, path }];
  });
  return { ...policy, rules: [...policy.rules, ...moved] };
}

/** An absolute pattern in the folder, as it is in the working tree; `undefined`: it is about something else. */
export function pathInWorktree(path: string, from: Workspace, to: Workspace): string | undefined {
  return path === from.cwd || path.startsWith(`${from.cwd}/`) ? `${to.cwd}${path.slice(from.cwd.length)}` : undefined;
}
