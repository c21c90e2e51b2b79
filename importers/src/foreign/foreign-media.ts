import type { UserContent } from "@capstan/protocol";
import { maxMediaCharacters } from "../limits.ts";
import type { Healing } from "./healing.ts";

/** An attachment that stands inline in a file. Without its data, or with too much of it, it is left out and counted. */
export function inlineMedia(mediaType: string, data: string, healing: Healing): readonly UserContent[] {
  const isWhole = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  if (!isWhole || data.length > maxMediaCharacters || data.length % 4 !== 0) {
    healing.note("attachments left out (not inline, or too large)");
    return [];
  }
  return [{ type: "media", mediaType: mediaType.toLowerCase(), data }];
}

/** An attachment given as `data:image/png;base64,…`. */
export function mediaOfUrl(url: string, healing: Healing): readonly UserContent[] {
  const comma = url.indexOf(",");
  const head = /^data:([\w.+-]+\/[\w.+-]+);base64$/.exec(url.slice(0, comma === -1 ? 0 : comma));
  return inlineMedia(head?.[1] ?? "", url.slice(comma + 1), healing);
}
