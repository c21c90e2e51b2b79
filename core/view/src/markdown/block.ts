/** One block of a Markdown text. Every text in it is inert, and HTML is text like any other. */
export type Block =
  | { readonly type: "paragraph"; readonly spans: readonly Span[] }
  /** `level`: 1 to 6. */
  | { readonly type: "heading"; readonly level: number; readonly spans: readonly Span[] }
  /** `language`: the first word after the fence; empty where there is none. `text` ends without a line end. */
  | { readonly type: "code"; readonly language: string; readonly text: string }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  /** `start`: the first number; `null`: the items have none. */
  | { readonly type: "list"; readonly start: number | null; readonly items: readonly ListItem[] }
  | {
      readonly type: "table";
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly (readonly Span[])[])[];
    }
  | { readonly type: "rule" };

export interface ListItem {
  /** `null`: the item is no task. */
  readonly isDone: boolean | null;
  readonly blocks: readonly Block[];
}

export interface Column {
  readonly align: "left" | "right" | "center" | null;
  readonly head: readonly Span[];
}

/** A piece of a line. A text may hold line ends, where the source has them. */
export type Span =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "strong"; readonly spans: readonly Span[] }
  | { readonly type: "emphasis"; readonly spans: readonly Span[] }
  | { readonly type: "strike"; readonly spans: readonly Span[] }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "link"; readonly spans: readonly Span[]; readonly target: LinkTarget }
  /** Never loaded: what the text says of it. */
  | { readonly type: "image"; readonly text: string; readonly target: LinkTarget }
  | { readonly type: "break" };

/** Where a link leads. */
export interface LinkTarget {
  readonly address: string;
  /** The host that it would open; `null`: it is no web address, and nothing to open. */
  readonly host: string | null;
  /** The words say something else than the address: then the address has to be shown, too. */
  readonly differs: boolean;
}
