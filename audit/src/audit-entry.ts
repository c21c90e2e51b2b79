import type { FileChange, ImportSource, InteractionAnswer, JsonValue, Origin, RuleVerdict } from "@capstan/protocol";

/** One line of an audit: who did what, when, and the link that proves its place. */
export interface AuditEntry {
  readonly seq: number;
  /** ISO, UTC. */
  readonly at: string;
  /** Of the record's link; `null` where the journal has none. */
  readonly hash: string | null;
  readonly what: AuditFact;
}

/** What happened, as far as an audit asks. Texts are as the journal holds them: whoever shows them makes them inert. */
export type AuditFact =
  | {
      readonly type: "opened";
      readonly by: Origin;
      readonly directory: string;
      readonly version: string;
      readonly forkedFrom?: string;
      readonly importedFrom?: ImportSource;
    }
  | { readonly type: "configured"; readonly model: string; readonly mode: string; readonly tools: number }
  | { readonly type: "asked"; readonly by: Origin; readonly text: string }
  | { readonly type: "model-called"; readonly model: string; readonly attempt: number }
  | {
      readonly type: "answered";
      readonly model: string;
      readonly text: string;
      readonly calls: readonly AuditedCall[];
      readonly costUsd: number | null;
    }
  | { readonly type: "model-failed"; readonly text: string }
  | {
      readonly type: "judged";
      readonly call: string;
      readonly action: string;
      readonly digest: string;
      readonly verdict: RuleVerdict;
      readonly reason: string;
      readonly rule?: string;
    }
  | { readonly type: "user-asked"; readonly question: string }
  | {
      readonly type: "user-answered";
      readonly by: Origin;
      readonly answer: InteractionAnswer["type"] | "void" | "expired";
      readonly message?: string;
    }
  | { readonly type: "ran"; readonly call: string; readonly action: string; readonly digest: string }
  | { readonly type: "probed"; readonly call: string; readonly action: string; readonly text: string }
  | {
      readonly type: "came-out";
      readonly call: string;
      readonly action: string;
      readonly outcome: string;
      readonly text: string;
      readonly changes: readonly Omit<FileChange, "diff">[];
      readonly durationMs: number;
    }
  | { readonly type: "ended"; readonly outcome: string; readonly message?: string; readonly rolledBack: boolean }
  | { readonly type: "noted"; readonly text: string };

export interface AuditedCall {
  readonly call: string;
  readonly tool: string;
  readonly arguments: JsonValue;
}
