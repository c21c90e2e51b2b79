/** A server of the Model Context Protocol: `[mcp_servers.NAME]`. Times in seconds. */
export interface McpServerConfig {
  readonly enabled: boolean;
  readonly command: string | null;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
  readonly hosts: readonly string[];
  readonly writes: boolean;
  readonly url: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly bearer_token_env: string | null;
  readonly basic_user: string | null;
  readonly basic_password_env: string | null;
  readonly transport: "http" | "sse";
  readonly enabled_tools: readonly string[] | null;
  readonly disabled_tools: readonly string[];
  readonly defer_tools: boolean | null;
  readonly sampling: boolean;
  readonly startup_timeout: number;
  readonly tool_timeout: number;
}
