/** What a page says, without what it looks like. Plain data: it crosses threads, and is kept on disk. */
export interface PageText {
  readonly title?: string;
  readonly language?: string;
  readonly blocks: readonly Block[];
  /** Characters that a reader would see, blanks apart. */
  readonly visible: number;
  /** Not everything was read. */
  readonly isCut: boolean;
}

/** A part of a page in Markdown. `whole`: a list, a table or code, which nobody cuts. */
export interface Block {
  readonly type: "heading" | "text" | "whole";
  readonly text: string;
}

/** What is read, and what its links start from. */
export interface PageSource {
  readonly type: "html" | "plain";
  readonly text: string;
  readonly url: string;
}
