export { type AcpOptions, serveAcp } from "./serve-acp.ts";
export type { EditorServer, SessionPlace } from "./params/session-place.ts";
export type { EnginePlace, EnginePlaces } from "./session/engine-place.ts";
