/** A language server: `[language_servers.NAME]`. Times in seconds. */
export interface LanguageServerConfig {
  readonly enabled: boolean;
  readonly command: string | null;
  readonly args: readonly string[];
  readonly extensions: readonly string[];
  readonly language: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly startup_timeout: number;
}
