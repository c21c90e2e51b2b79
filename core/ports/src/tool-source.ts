import type { NoticeRecord } from "@capstan/protocol";
import type { KeepResult, Tool } from "./tool.ts";

/** What people should know of the tools of a source. */
export type ToolNotice = Omit<NoticeRecord, "type">;

/**
 * Where tools come from: those of Capstan, of the program that embeds it, later of servers and plugins.
 *
 * Contract:
 * - `tools` answers at once, always in the same order; the answer changes only before subscribers are notified.
 * - A subscriber is notified of every change after it subscribed, until it ends its subscription or the source is closed; with what people
 *   should know of it, where there is something.
 * - `close` frees what the source holds, also when it is called twice. Afterwards nobody is notified.
 */
export interface ToolSource {
  /** For notices: "Capstan", "this program". */
  readonly label: string;
  tools(): readonly Tool[];
  /** Names that rules know its tools by, whether or not they exist now: no tool of a source that counts less may bear one. */
  reservedNames(): readonly string[];
  /** @returns ends the subscription */
  subscribe(onChange: (news?: readonly ToolNotice[]) => void): () => void;
  /** Makes ready what the first call would wait for, beside whatever else is done. A source that is called without it makes that ready itself. */
  prepare?(): void;
  readonly keepResult?: KeepResult;
  close(): Promise<void>;
}
