export type { Input, TerminalReply } from "./keys/input.ts";
