import type { Compactor, ProviderOptions } from "@capstan/ports";
import { isJsonObject, type JsonValue } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { createFailures } from "../shared/failures.ts";
import { createConnectionPool } from "../shared/http/connection-pool.ts";
import { toEndpoint } from "../shared/http/endpoint.ts";
import { Exchange } from "../shared/http/exchange.ts";
import { exchangeText } from "../shared/http/exchange-text.ts";
import { parseJson } from "../shared/json-fields.ts";
import { refuseErrorStatus } from "../shared/stream/stream-answer.ts";

/** The fields in which services say a summary. */
const summaryFields = ["summary", "result", "content"] as const;

/**
 * A compactor behind an address: it is sent `{ agentId, messages, maxTokens }` as JSON, and answers with the text or with JSON that holds it.
 * It is reached as model calls are: through the proxy, with the same trust and patience.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export function createHttpCompactor(options: ProviderOptions): Compactor {
  const endpoint = toEndpoint(options, []);
  const pool = createConnectionPool(options, endpoint);
  const failures = createFailures(options);
  const key = options.apiKey?.trim() ?? "";
  const headers = {
    accept: "application/json, text/plain",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "user-agent": "capstan",
    ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
    ...options.headers,
  };
  return {
    async summarize(source, signal) {
      const call = { options, endpoint, pool, failures, headers, body: JSON.stringify(source), signal };
      const exchange = await Exchange.open(call);
      try {
        await refuseErrorStatus(exchange, call, failures);
        const text = summaryOf(await exchangeText(exchange, limits.sideAnswerBytes, failures));
        if (text === "") throw failures.protocol("answered with no summary", false);
        return text;
      } finally {
        exchange.release("broken");
      }
    },
  };
}

function summaryOf(body: string): string {
  const value = parseJson(body);
  if (value === undefined) return body.trim();
  if (typeof value === "string") return value.trim();
  const said = isJsonObject(value) ? summaryFields.map((name) => value[name]).find(isText) : undefined;
  return said?.trim() ?? "";
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}
