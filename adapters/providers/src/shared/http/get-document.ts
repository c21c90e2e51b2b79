import type { JsonValue } from "@capstan/protocol";
import { parseJson } from "../json-fields.ts";
import { refuseErrorStatus } from "../stream/stream-answer.ts";
import { Exchange, type ExchangeCall } from "./exchange.ts";
import { exchangeText } from "./exchange-text.ts";

/**
 * Gets one JSON document.
 * @param limitBytes  after decompression
 * @throws {ProviderError} for an error status, a redirect, a broken connection, and for what is too long or no JSON
 */
export async function getDocument(call: Omit<ExchangeCall, "body">, limitBytes: number): Promise<JsonValue> {
  const exchange = await Exchange.open({ ...call, headers: asking(call.headers) });
  try {
    const failures = call.failures.withHeaders(exchange.head.headers);
    await refuseErrorStatus(exchange, call, failures);
    const document = parseJson(await exchangeText(exchange, limitBytes, failures));
    if (document === undefined) throw failures.protocol("answered with something that is not JSON", false);
    return document;
  } finally {
    // Read to its end it is over, and its connection free already.
    exchange.release("broken");
  }
}

/** The headers of a call that sends nothing and wants no stream. */
function asking(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const sent = Object.entries(headers).filter(([name]) => name !== "content-type");
  return { ...Object.fromEntries(sent), accept: "application/json" };
}
