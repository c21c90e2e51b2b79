export type { LineChannel, ReceivedLine } from "./channel/line-channel.ts";
export { StreamChannel, type StreamChannelOptions, type TextOutput } from "./channel/stream-channel.ts";
export { RemoteEngine } from "./client/remote-engine.ts";
export { maxRequestLineBytes, maxServerLineBytes } from "./limits.ts";
export type { NamedClient } from "./operations/operation-types.ts";
export { operations } from "./operations/operations.ts";
export { readObjectLine } from "./wire/object-line.ts";
export { serveEngine, type ServeOptions } from "./server/serve-engine.ts";
