import type { ModelProvider, ProviderOptions } from "@capstan/ports";
import { openAiListing } from "../shared/models/open-ai-listing.ts";
import { createWireProvider } from "../shared/wire-provider.ts";
import { ResponsesReader } from "./responses-reader.ts";
import { responsesBodyText } from "./to-responses-body.ts";
import { withoutRefusedSummaries } from "./without-summaries.ts";

/**
 * OpenAI's Responses API (https://platform.openai.com/docs/api-reference/responses), wire `openai-responses`. Nothing is
 * stored at the vendor: every request brings the whole conversation. The base URL ends in `/v1` as usual, and may carry a query.
 * @throws {AppError} `config.invalid` when the base URL is no http(s) address
 */
export function createOpenAiResponsesProvider(options: ProviderOptions): ModelProvider {
  const inner = createWireProvider(
    {
      name: "openai-responses",
      keepsKeys: true,
      path: ["responses"],
      keyed: ["openai", "openai-responses"],
      keyHeaders: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
      headers: {},
      bodyText: responsesBodyText,
      createReader: (origin, failures) => new ResponsesReader(origin, failures),
      listing: openAiListing,
    },
    options,
  );
  return withoutRefusedSummaries(inner);
}
