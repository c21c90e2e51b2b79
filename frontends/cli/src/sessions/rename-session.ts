import type { ClientIdentity, EngineClient, SessionId } from "@capstan/protocol";
import type { Streams } from "../output.ts";
import { refusalLine } from "./refusal-line.ts";

/**
 * Gives a session a title; an empty one removes it. What an earlier process left open there stays as it is.
 * @returns the exit code: 1 when nothing changed
 */
export async function renameHere(
  client: EngineClient,
  { id, title }: { readonly id: SessionId; readonly title: string },
  identity: ClientIdentity,
  { progress }: Streams,
): Promise<number> {
  const session = await client.open({ type: "resume", id }, { identity, purpose: "drive", resume: "wait" });
  try {
    const receipt = await session.submit({ type: "title", title });
    if (receipt.type === "refused") progress.write(`${refusalLine(receipt)}\n`);
    return receipt.type === "accepted" ? 0 : 1;
  } finally {
    await session.close();
  }
}
