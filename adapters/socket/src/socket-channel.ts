import type { Socket } from "node:net";
import { type LineChannel, StreamChannel } from "@capstan/remote";
import { endSoon } from "./end-soon.ts";

/** Lines over a connected socket. @param maxLineBytes  of a received line */
export function socketChannel(socket: Socket, maxLineBytes: number): LineChannel {
  // The end of the lines and the failure of a write say the same, to whom it concerns.
  socket.on("error", () => undefined);
  return new StreamChannel({
    input: socket,
    output: socket,
    maxLineBytes,
    end: () => endSoon(socket),
  });
}
