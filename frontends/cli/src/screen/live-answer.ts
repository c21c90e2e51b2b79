import type { Output } from "../output.ts";
import { type LiveAnswer, LiveText } from "./live-text.ts";

/** Where the width of the lines is known, Markdown is drawn, block by block; elsewhere the text stands as it is. */
export async function liveAnswer(out: Output, colors: boolean): Promise<LiveAnswer> {
  if (out.columns === undefined) return new LiveText(out);
  // Scripts and pipes, which read the text as it is, need not load what reads Markdown.
  const { LiveMarkdown } = await import("./live-markdown.ts");
  return new LiveMarkdown(out, colors);
}
