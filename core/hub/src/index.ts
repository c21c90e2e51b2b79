export { type FindFiles, pageOf } from "./local-client.ts";
export { mapped } from "./mapped.ts";
export type { SessionOpener } from "./open-sessions.ts";
export { type HubOptions, type SessionJournals, SessionHub } from "./session-hub.ts";
export { settledReceipt } from "./settled-receipt.ts";
export type { SessionSockets } from "./session-sockets.ts";
export type { OpenedSession, SettingsOfSession } from "./shared-session.ts";
export { StoreWatch, type StoreView } from "./store-watch.ts";
