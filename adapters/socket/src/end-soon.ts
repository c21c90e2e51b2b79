import type { Socket } from "node:net";
import { closeGraceMs } from "./limits.ts";

/** Ends a connection once what was sent is taken; whoever does not take it is cut off. */
export function endSoon(socket: Socket): void {
  socket.destroySoon();
  const cut = setTimeout(() => socket.destroy(), closeGraceMs);
  socket.once("close", () => clearTimeout(cut));
}
