import type { OpenStep } from "../model/state.ts";

/** What people saw of an answer that is not whole, for the record that keeps it. */
export function shownOf({ text, thinking }: OpenStep): { readonly text: string; readonly thinking?: string } {
  return thinking === "" ? { text } : { text, thinking };
}
