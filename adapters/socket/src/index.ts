export { connectSocket } from "./connect-socket.ts";
export { serveSocket, type SocketServer } from "./serve-socket.ts";
export type { SocketOptions } from "./socket-lines.ts";
