import type { Failures } from "../failures.ts";
import type { Exchange } from "./exchange.ts";

/** The whole body of an answer. @throws {ProviderError} for one that is longer */
export async function exchangeText(exchange: Exchange, limitBytes: number, failures: Failures): Promise<string> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const piece = await exchange.take();
    if (piece === undefined) break;
    sizeBytes += piece.length;
    if (sizeBytes > limitBytes) throw failures.protocol(`the answer exceeds ${limitBytes} bytes`, false);
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
