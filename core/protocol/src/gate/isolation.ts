/** How far commands are kept apart from the rest of the machine: found out by the self-test at start, never taken on trust. */
export type Isolation =
  /** Everything the self-test tries from inside fails. */
  | { readonly type: "enforced" }
  /** Commands run apart, but these things were possible from inside. */
  | { readonly type: "partial"; readonly lacks: readonly string[] }
  | { readonly type: "none"; readonly reason: string };

/**
 * What of the workspace a command may change: everything that neither governs nor is protected (`write`), only build folders that are
 * there when it starts (`build`: `buildFolderNames`, ignored by git, with nothing tracked in them), or nothing (`read`). `copy`: nothing,
 * and it works on a private copy, of which what changed is proposed.
 */
export type WorkspaceReach = "write" | "build" | "read" | "copy";

/** What a command may reach of the machine, as part of its action. */
export type Confinement =
  | {
      readonly type: "sandbox";
      readonly workspace: WorkspaceReach;
      /** Network hosts it may reach through the proxy, `name` or `name:port`; none: it has no network. */
      readonly hosts: readonly string[];
      /** Real paths outside the workspace that it may change. */
      readonly writable: readonly string[];
    }
  /** It runs as the user would run it. `asked`: the model asked for that, and gave this reason. */
  | { readonly type: "none"; readonly asked?: string };

/**
 * What happens to a command where the sandbox is not enforced: refused; refused unless words of the command line allow it, because
 * nobody can be asked; asked about each time; or judged as if it were (the user chose so).
 */
export type WithoutIsolation = "refuse" | "refuse-unless-reported" | "ask" | "run";

/** What the sandbox means for a session's decisions. */
export interface SandboxSettings {
  readonly isolation: Isolation;
  /** Commands inside an enforced sandbox run unasked in mode `default`. */
  readonly autoRun: boolean;
  readonly withoutIsolation: WithoutIsolation;
  /** Hosts the user opened for every command. */
  readonly hosts: readonly string[];
}
