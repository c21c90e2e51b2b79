/** One question of the model's. Without options any text is an answer. */
export interface Question {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiple: boolean;
  /** What the user should know before they answer. */
  readonly context?: string;
  /** What counts as the answer when nobody gives one. */
  readonly defaults?: readonly string[];
  /** How long it waits (ms). */
  readonly timeoutMs?: number;
}
