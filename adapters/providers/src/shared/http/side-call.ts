import type { JsonObject, JsonValue } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { parseObject } from "../json-fields.ts";
import { toEndpoint } from "./endpoint.ts";
import { Exchange, type ExchangeCall } from "./exchange.ts";
import { exchangeText } from "./exchange-text.ts";

/** What a side call came back with; `undefined` where there was no answer in time, or none that can be read. */
export type SideAnswer = { readonly status: number; readonly body: JsonObject } | undefined;

/**
 * A small POST beside the model call: bounded in time and size, never an error of its own.
 * @param segments  path below the base URL
 * @throws the signal's reason when the model call is aborted meanwhile
 */
export type SideCall = (segments: readonly string[], body: JsonValue, timeoutMs: number) => Promise<SideAnswer>;

/** Side calls go over the connections, and with the key, of the model call they belong to. */
export function createSideCall(base: Omit<ExchangeCall, "endpoint" | "body">): SideCall {
  return async (segments, body, timeoutMs) => {
    const signal = AbortSignal.any([base.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const endpoint = toEndpoint(base.options, segments);
      return await answerOf({ ...base, endpoint, body: JSON.stringify(body), signal });
    } catch {
      base.signal.throwIfAborted();
      return undefined;
    }
  };
}

async function answerOf(call: ExchangeCall): Promise<SideAnswer> {
  const exchange = await Exchange.open(call);
  try {
    const body = parseObject(await exchangeText(exchange, limits.sideAnswerBytes, call.failures));
    return body === undefined ? undefined : { status: exchange.head.statusCode ?? 0, body };
  } finally {
    // Read to its end it is over, and its connection free already.
    exchange.release("broken");
  }
}
