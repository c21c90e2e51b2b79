import type { OnAsk, Streams } from "@capstan/cli";
import type { HostOptions } from "@capstan/host";
import { AppError, type OnUnknown } from "@capstan/protocol";
import { terminalAsker } from "./ask-terminal.ts";
import { oneOf } from "@capstan/cli";

/** What a run does when something needs a user. */
export interface AskMode {
  readonly type: OnAsk["type"];
  readonly onUnknown: OnUnknown;
}

/** As the flags say; without one, somebody at a terminal is asked there, and nobody else. @throws AppError `usage.invalid` */
export function askMode(flags: { readonly onAsk?: string; readonly onUnknown?: string }): AskMode {
  const atTerminal = process.stdin.isTTY && process.stderr.isTTY;
  const type =
    flags.onAsk === undefined
      ? atTerminal
        ? "inline"
        : "deny"
      : oneOf(["deny", "wait", "park"] as const, flags.onAsk, "--on-ask");
  if (flags.onUnknown === undefined) return { type, onUnknown: type === "deny" ? "fail" : "ask" };
  const onUnknown = oneOf(["fail", "tell-model", "rerun", "ask"] as const, flags.onUnknown, "--on-unknown");
  if (onUnknown === "ask" && type === "deny")
    throw new AppError("usage.invalid", "--on-unknown ask needs somebody to ask", {
      hint: "Add --on-ask wait or --on-ask park, or run it at a terminal.",
    });
  return { type, onUnknown };
}

/** What it means for the session's settings. @param limitMs  how long a run with `--on-ask wait` waits */
export function askSettings(
  { type, onUnknown }: AskMode,
  limitMs: number,
): Pick<HostOptions, "askPolicy" | "interactionExpiryMs" | "onUnknown"> {
  const interactionExpiryMs = type === "wait" ? limitMs : null;
  return { askPolicy: type === "deny" ? "deny" : "ask", interactionExpiryMs, onUnknown };
}

/** @param limitMs  how long a run with `--on-ask wait` waits */
export function onAskOf(type: AskMode["type"], limitMs: number, streams: Streams): OnAsk {
  switch (type) {
    case "deny":
    case "park":
      return { type };
    case "wait":
      return { type, limitMs };
    case "inline":
      return { type, terminal: terminalAsker(process.stdin, process.stderr, streams.colors) };
  }
}
