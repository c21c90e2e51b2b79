/** A command of a day's work: as a user types it, and what is to be said of it. */
export interface EverydayCommand {
  readonly command: string;
  /** Its exit code outside; without it 0. */
  readonly code?: number;
  /** Why it ends otherwise in the sandbox, and what to do: one line. Without it, it does exactly what it does outside. */
  readonly differs?: string;
  /** It reaches a host, which a test must not: it is run in the sandbox alone, and names the host there. */
  readonly reaches?: string;
}

/** A repository of a kind, and what is typed in it, in this order. */
export interface Everyday {
  readonly name: string;
  /** Programs without which none of it can be tried. */
  readonly needs: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** What has been done before, outside. */
  readonly before: readonly string[];
  readonly commands: readonly (string | EverydayCommand)[];
}

export function commandsOf({ commands }: Everyday): readonly EverydayCommand[] {
  return commands.map((entry) => (typeof entry === "string" ? { command: entry } : entry));
}
