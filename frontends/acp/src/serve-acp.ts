import type { Readable, Writable } from "node:stream";
import { maxRequestLineBytes, StreamChannel } from "@capstan/remote";
import { Agent, type AgentOptions } from "./agent/agent.ts";
import { RpcPeer } from "./peer/rpc-peer.ts";

export interface AcpOptions extends AgentOptions {
  readonly input: Readable;
  /** Carries nothing but lines of the protocol. */
  readonly output: Writable;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

/**
 * Serves the editor at the other end of a pair of streams.
 * @returns when the input has ended and the sessions are given back, as they are; never throws
 */
export async function serveAcp(options: AcpOptions): Promise<void> {
  const { input, output, signal } = options;
  const stop = (): void => void input.destroy();
  output.on("error", stop);
  output.on("close", stop);
  signal?.addEventListener("abort", stop);
  input.on("error", () => undefined);
  const agent = new Agent(options);
  const channel = new StreamChannel({ input, output, maxLineBytes: maxRequestLineBytes, end: () => undefined });
  const peer = new RpcPeer(channel, agent);
  agent.connect(peer);
  await peer.run();
  await agent.close();
  await peer.settled();
  await channel.close();
  signal?.removeEventListener("abort", stop);
  output.off("close", stop);
}
