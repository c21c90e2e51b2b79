import { isJsonObject } from "@capstan/protocol";
import { isList, listOf, objectOf, textOf } from "../shared/json-fields.ts";
import type { ModelListing } from "../shared/models/list-models.ts";
import { readOffer } from "../shared/models/read-offer.ts";

/** `GET /v1beta/models` (https://ai.google.dev/api/models), without models that generate no content. */
export function googleListing(version: readonly string[]): ModelListing {
  return {
    path: [...version, "models"],
    query: (next) => (next === undefined ? "pageSize=1000" : `pageSize=1000&pageToken=${encodeURIComponent(next)}`),
    readPage(document) {
      const page = objectOf(document);
      const list = page?.["models"];
      if (page === undefined || !isList(list)) return undefined;
      const next = textOf(page["nextPageToken"]);
      return {
        offers: list
          .filter(isJsonObject)
          .filter((model) => listOf(model["supportedGenerationMethods"]).includes("generateContent"))
          .flatMap((model) =>
            readOffer({
              id: textOf(model["name"]).replace(/^models\//, ""),
              name: model["displayName"],
              window: [model["inputTokenLimit"]],
              output: [model["outputTokenLimit"]],
            }),
          ),
        ...(next === "" ? {} : { next }),
      };
    },
  };
}
