import type { JsonObject } from "@capstan/protocol";
import { listOf, objectOf, textOf } from "../json-fields.ts";
import { sayableMs } from "./retry-after.ts";

/** What an error in Google's form (`google.rpc.Status`) says beside its message. */
export interface RpcStatus {
  /** Such as `RESOURCE_EXHAUSTED`. */
  readonly status: string;
  /** From `RetryInfo`. */
  readonly retryAfterMs?: number;
  /** A quota that is counted per day is used up: no short wait helps. */
  readonly dayQuotaUsedUp: boolean;
  /** The key is missing, wrong or not allowed; a wrong one is answered with status 400. */
  readonly keyRefused: boolean;
}

/** Reads an error object in Google's form; `undefined` when it is in another. */
export function readRpcStatus(error: JsonObject): RpcStatus | undefined {
  const status = textOf(error["status"]);
  if (!/^[A-Z][A-Z_]+$/.test(status)) return undefined;
  const details = listOf(error["details"]).map((detail): JsonObject => objectOf(detail) ?? {});
  const waitMs = details.map(retryDelayMs).find((delayMs) => delayMs !== undefined);
  return {
    status,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    dayQuotaUsedUp: details.some(namesDayQuota),
    keyRefused:
      status === "UNAUTHENTICATED" ||
      status === "PERMISSION_DENIED" ||
      details.some((detail) => textOf(detail["reason"]).startsWith("API_KEY_")),
  };
}

/** A duration as protobuf writes it in JSON: `36s`, `36.4s`; some gateways write its fields instead. */
function retryDelayMs(detail: JsonObject): number | undefined {
  const delay = detail["retryDelay"];
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(delay))?.[1] ?? objectOf(delay)?.["seconds"];
  const value = Number(seconds ?? Number.NaN);
  return value >= 0 ? sayableMs(Math.round(value * 1000)) : undefined;
}

function namesDayQuota(detail: JsonObject): boolean {
  const violations = listOf(detail["violations"]).map((violation) => objectOf(violation)?.["quotaId"]);
  const names = [...violations, objectOf(detail["metadata"])?.["quota_limit"]];
  return names.some((name) => /per_?day/i.test(textOf(name)));
}
