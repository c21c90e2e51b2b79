/** Where a server is: a program that Capstan starts, or an address. */
export type McpPlace =
  | {
      readonly type: "program";
      /** An absolute path, or a name that is looked up. */
      readonly command: string;
      readonly args: readonly string[];
      /** All that it sees of the user's environment, besides the search path. */
      readonly env: Readonly<Record<string, string>>;
      /** Below the working directory; `null`: the working directory. */
      readonly cwd: string | null;
      /** Hosts it may reach. */
      readonly hosts: readonly string[];
      /** Whether it may change files of the workspace. */
      readonly writes: boolean;
    }
  | {
      readonly type: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** `sse`: the older way, two addresses. */
      readonly wire: "http" | "sse";
    };

/** A server that the user configured. */
export interface McpServer {
  readonly name: string;
  readonly place: McpPlace;
  /** The server's names of the tools that are used; `null`: all. */
  readonly enabledTools: readonly string[] | null;
  readonly disabledTools: readonly string[];
  /** Whether the model has to find its tools first; `null`: where they are too many. */
  readonly deferTools: boolean | null;
  /** Whether it may ask for answers of the model, each of which its user allows. */
  readonly sampling: boolean;
  readonly startupTimeoutMs: number;
  readonly toolTimeoutMs: number;
  /** Whose it is, where it is not the user's own: a name under which is kept what its tools were, apart from others of its name. */
  readonly owner?: string;
}
