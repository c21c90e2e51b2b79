import { AppError, type ErrorCode, messageOf } from "@capstan/protocol";

/** Codes of JSON-RPC 2.0 and of the protocol. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  authentication: -32000,
  notFound: -32002,
} as const;

/** An error as it crosses. */
export interface RpcProblem {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a request is answered that cannot be carried out. */
export class RpcError extends Error {
  readonly problem: RpcProblem;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = "RpcError";
    this.problem = { code, message, ...(data === undefined ? {} : { data }) };
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message, { code: "door.schema" });
}

/** Anything that was thrown, as it crosses; our own code stands in `data`, with what to do about it. */
export function rpcProblemOf(thrown: unknown): RpcProblem {
  if (thrown instanceof RpcError) return thrown.problem;
  if (!(thrown instanceof AppError))
    return { code: rpcCodes.internal, message: messageOf(thrown), data: { code: "internal.bug" } };
  return problemOf(thrown);
}

/** One of our errors, refusals and failures, as it crosses. */
export function problemOf({
  code,
  message,
  hint,
}: {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}): RpcProblem {
  const said = hint === undefined ? message : `${message}. ${hint}`;
  return { code: rpcCodeOf(code), message: said, data: { code, ...(hint === undefined ? {} : { hint }) } };
}

const rpcCodeOfError: Readonly<Partial<Record<ErrorCode, number>>> = {
  "session.unknown": rpcCodes.notFound,
  "model.none": rpcCodes.authentication,
  "provider.auth": rpcCodes.authentication,
  "usage.invalid": rpcCodes.invalidParams,
  "usage.workspace-missing": rpcCodes.invalidParams,
  "door.schema": rpcCodes.invalidParams,
};

function rpcCodeOf(code: string): number {
  return new Map<string, number>(Object.entries(rpcCodeOfError)).get(code) ?? rpcCodes.internal;
}
