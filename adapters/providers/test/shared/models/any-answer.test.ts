import * as fc from "fast-check";
import type { JsonValue } from "@capstan/protocol";
import { expect, test } from "vitest";
import { anthropicListing } from "../../../src/anthropic/anthropic-models.ts";
import { googleListing } from "../../../src/google/google-models.ts";
import { openAiListing } from "../../../src/shared/models/open-ai-listing.ts";

const listings = [anthropicListing, openAiListing, googleListing(["v1beta"])];
const fields = [
  ["id", "name", "display_name", "context_length", "max_model_len", "meta", "top_provider", "architecture"],
  ["pricing", "max_input_tokens", "max_tokens", "capabilities", "supportedGenerationMethods", "inputTokenLimit"],
].flat();
const value = fc.jsonValue({ maxDepth: 3 });
const model = fc.oneof(value, fc.dictionary(fc.constantFrom(...fields), value));
const page = fc.oneof(
  value,
  fc.array(model),
  fc.dictionary(
    fc.constantFrom("data", "models", "has_more", "last_id", "nextPageToken"),
    fc.oneof(fc.array(model), value),
  ),
);

test("whatever a server answers is read as well-formed offers, or as no list", () => {
  fc.assert(
    fc.property(page, (document) => {
      // What comes over the wire is JSON: no undefined, no -0.
      const received: JsonValue = JSON.parse(JSON.stringify(document));
      for (const listing of listings) {
        for (const offer of listing.readPage(received)?.offers ?? []) {
          const { id, contextWindowTokens = 1, maxOutputTokens = 1, prices, inputs = [] } = offer;
          expect(id.trim()).not.toBe("");
          expect([contextWindowTokens, maxOutputTokens].every((count) => Number.isInteger(count) && count > 0)).toBe(
            true,
          );
          expect(Object.values(prices ?? {}).every((price) => typeof price === "number" && price >= 0)).toBe(true);
          expect(new Set(inputs).size).toBe(inputs.length);
        }
      }
    }),
  );
});
