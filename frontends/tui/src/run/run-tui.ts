import { takeInput } from "../input/take-input.ts";
import { Tui } from "./tui.ts";
import type { TuiOptions } from "./tui-options.ts";

/** Runs the terminal UI until the user leaves it. @returns the session that was open last */
export async function runTui(options: TuiOptions): Promise<string> {
  return await new Tui(options, takeInput).run();
}
