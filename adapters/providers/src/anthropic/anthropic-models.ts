import { type InputKind, isJsonObject, type JsonObject } from "@capstan/protocol";
import { isList, objectOf, textOf } from "../shared/json-fields.ts";
import type { ModelListing } from "../shared/models/list-models.ts";
import { readOffer } from "../shared/models/read-offer.ts";

/** `GET /v1/models` (https://docs.anthropic.com/en/api/models-list). */
export const anthropicListing: ModelListing = {
  path: ["v1", "models"],
  query: (next) => (next === undefined ? "limit=1000" : `limit=1000&after_id=${encodeURIComponent(next)}`),
  readPage(document) {
    const page = objectOf(document);
    const list = page?.["data"];
    if (page === undefined || !isList(list)) return undefined;
    const last = textOf(page["last_id"]);
    return {
      offers: list
        .filter(isJsonObject)
        .filter((model) => model["lifecycle"] !== "retired")
        .flatMap((model) =>
          readOffer({
            id: model["id"],
            name: model["display_name"],
            window: [model["max_input_tokens"]],
            output: [model["max_tokens"]],
            inputs: readInputs(objectOf(model["capabilities"])),
          }),
        ),
      ...(page["has_more"] === true && last !== "" ? { next: last } : {}),
    };
  },
};

function readInputs(capabilities: JsonObject | undefined): readonly InputKind[] | undefined {
  if (capabilities === undefined) return undefined;
  const kinds = [
    ["image", "image_input"],
    ["pdf", "pdf_input"],
  ] as const;
  return kinds.flatMap(([kind, field]) => (objectOf(capabilities[field])?.["supported"] === true ? [kind] : []));
}
