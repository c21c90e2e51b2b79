/** How a line is meant; each screen has its own colours for it. */
export type ProgressTone = "plain" | "muted" | "good" | "bad" | "warning" | "diff";

/** A line that says what is happening, or what is asked. Inert. */
export interface ProgressLine {
  readonly tone: ProgressTone;
  readonly text: string;
}
