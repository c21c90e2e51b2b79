/** A language server as the user's configuration names it. */
export interface NamedServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** With the dot, in lower case. */
  readonly extensions: readonly string[];
  /** What the protocol calls their language; `null`: what their ending says. */
  readonly language: string | null;
  readonly startupTimeoutMs: number;
}
