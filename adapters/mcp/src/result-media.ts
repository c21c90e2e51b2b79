import type { MediaContent } from "@capstan/protocol";
import { maxPictureCharacters, maxPictures } from "./limits.ts";

/** How pictures of each type that vendors take begin, in base64. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  "image/png": ["iVBORw0KGgo"],
  "image/jpeg": ["/9j/"],
  "image/gif": ["R0lGODdh", "R0lGODlh"],
  "image/webp": ["UklGR"],
};

/** Pictures of one result, as far as there is room. What is no such picture would make a vendor refuse every later request. */
export class ResultMedia {
  readonly taken: MediaContent[] = [];
  readonly #name: string;
  #characters = 0;

  /** @param name  what people and models without eyes read in a picture's place */
  constructor(name: string) {
    this.#name = name;
  }

  /** @returns what is said of it in the result's words */
  take(mediaType: string, data: string): string {
    const starts = Object.hasOwn(beginnings, mediaType) ? beginnings[mediaType] : undefined;
    const what = `image, ${mediaType}, ${data.length} characters of base64`;
    const isPicture = starts?.some((start) => data.startsWith(start)) === true && isBase64(data);
    if (!isPicture) return `[${what}: not shown, it is no picture of a kind that models take]`;
    if (this.taken.length >= maxPictures || this.#characters + data.length > maxPictureCharacters)
      return `[${what}: not shown, there are too many or they are too large]`;
    this.#characters += data.length;
    this.taken.push({ type: "media", mediaType, data, name: `${this.#name} ${this.taken.length + 1}` });
    return `[${what}: picture ${this.taken.length} of this result]`;
  }
}

/** Looked at for what does not belong there: a pattern that takes the whole text may need a stack as large as it. */
function isBase64(data: string): boolean {
  const unpadded = data.endsWith("==") ? data.slice(0, -2) : data.endsWith("=") ? data.slice(0, -1) : data;
  return unpadded !== "" && !/[^A-Za-z0-9+/]/.test(unpadded);
}
