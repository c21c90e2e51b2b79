import type { InputKind, JsonValue, ModelOffer } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { countOf } from "../json-fields.ts";

/** More than any model has: a larger number is a mistake of the list. */
const mostTokens = 100_000_000;

/** What a vendor says about one of its models; whatever does not fit is left out. */
export interface SaidAboutModel {
  readonly id: JsonValue | undefined;
  readonly name?: JsonValue | undefined;
  /** The first of these that is a count of tokens. */
  readonly window: readonly (JsonValue | undefined)[];
  readonly output: readonly (JsonValue | undefined)[];
  readonly inputs?: readonly InputKind[] | undefined;
  readonly prices?: ModelOffer["prices"] | undefined;
}

/** The offer, or none where the id cannot be one. */
export function readOffer({ id, name, window, output, inputs, prices }: SaidAboutModel): readonly ModelOffer[] {
  if (!isName(id)) return [];
  const contextWindowTokens = firstCount(window);
  const maxOutputTokens = firstCount(output);
  return [
    {
      id,
      ...(isName(name) && name !== id ? { name } : {}),
      ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(inputs === undefined ? {} : { inputs }),
      ...(prices === undefined ? {} : { prices }),
    },
  ];
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= limits.modelNameChars;
}

/** Some servers write 0 for what they do not know. */
function firstCount(values: readonly (JsonValue | undefined)[]): number | undefined {
  return values.map(countOf).find((count) => count !== undefined && count > 0 && count <= mostTokens);
}
