export { type CodexCommand, readCodexCommand } from "./codex/codex-flags.ts";
export { isCompleted, serveCodex } from "./codex/serve-codex.ts";
export { DialectLines, type DialectStreams } from "./lines/dialect-lines.ts";
export type { OneTurn } from "./session/one-turn.ts";
