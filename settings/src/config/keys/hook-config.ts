/** One entry of `[[hooks.EVENT]]`: a program or an address that is asked or informed. */
export interface HookConfig {
  /** Names, `A|B`, or a regular expression; absent: everything. */
  readonly matcher?: string;
  /** A line for the shell, or a program and its arguments. */
  readonly command?: string | readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The variable whose value is sent as bearer token. */
  readonly bearer_token_env?: string;
  /** Seconds. */
  readonly timeout?: number;
}
