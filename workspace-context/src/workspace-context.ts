import type { ContextSource } from "@capstan/ports";
import type { ContextPart, Workspace } from "@capstan/protocol";
import { isApproved, type WorkspaceTrust } from "@capstan/trust";
import { gitFacts } from "./git-facts.ts";
import { allInstructions } from "./all-instructions.ts";
import type { Instructions } from "./instruction-file.ts";
import { plainGitFacts } from "./plain-git-facts.ts";

export interface WorkspaceContextOptions {
  readonly instructionFiles: readonly string[];
  readonly maxInstructionBytes: number;
  /** The data directory: the user's own instructions lie there. */
  readonly home: string;
  /** About the workspace that is named first; any other one is not trusted. */
  readonly trust: Pick<WorkspaceTrust, "trusted" | "approved">;
  /** What else is known of the workspace, and stays as it is. */
  readonly known?: readonly ContextPart[];
  /** ms since 1970. */
  now(): number;
}

/**
 * The facts of the workspace: where, on what, when, git state, the project's instructions. Only what changed is reported again.
 * Instructions count where the user trusts them as they are now; git runs where the user trusts the folder.
 * @param first  what is likely asked first: git begins to look at once, while everything else starts
 */
export function workspaceContext(options: WorkspaceContextOptions, first: Workspace): ContextSource {
  const { trust } = options;
  const factsOf = async ({ cwd }: Workspace, signal: AbortSignal): Promise<string | undefined> =>
    trust.trusted && cwd === first.cwd ? await gitFacts(cwd, signal) : plainGitFacts(cwd);
  let early: Promise<string | undefined> | undefined = factsOf(first, new AbortController().signal);
  const gitFactsOf = (workspace: Workspace, signal: AbortSignal): Promise<string | undefined> => {
    const begun = workspace.cwd === first.cwd ? early : undefined;
    early = undefined;
    return begun ?? factsOf(workspace, signal);
  };
  const isTrusted = ({ path, sha256 }: Instructions): boolean =>
    sha256 !== undefined && isApproved(trust, path, sha256);
  const { instructionFiles: names, maxInstructionBytes: limitBytes, home } = options;
  const sources = { names, limitBytes, home, isTrusted };
  return {
    async collect(workspace, signal) {
      const [git, instructions] = await Promise.all([
        gitFactsOf(workspace, signal),
        allInstructions(workspace.cwd, sources),
      ]);
      return [
        environmentPart(workspace, options.now()),
        ...(git === undefined ? [] : [{ name: "git", text: git }]),
        ...(instructions === undefined ? [] : [instructions]),
        ...(options.known ?? []),
      ];
    },
  };
}

function environmentPart(workspace: Workspace, nowMs: number): ContextPart {
  const others = workspace.roots.filter((root) => root !== workspace.cwd);
  const lines = [
    `Working directory: ${workspace.cwd}`,
    ...(others.length === 0 ? [] : [`Other directories you may use: ${others.join(", ")}`]),
    `Platform: ${process.platform} (${process.arch})`,
    `Date: ${new Date(nowMs).toISOString().slice(0, 10)}`,
  ];
  return { name: "environment", text: lines.join("\n") };
}
