import { isJsonObject } from "@capstan/protocol";
import { type Prompt, unmarkedPart } from "../../cache/prompt.ts";
import { nameOf, objects, textOf } from "../read-fields.ts";
import type { ReceivedResult, RequestFacts } from "../wire.ts";

/** The model and the method a path names. */
export interface GoogleTarget {
  readonly model: string;
  readonly method: string;
  readonly streams: boolean;
}

/** Reads the target of a model call; `undefined` when it is none. A stream is one only with `alt=sse`. */
export function readTarget(target: string): GoogleTarget | undefined {
  const [path = "", query = ""] = target.split("?");
  const [, model = "", method = ""] =
    /^\/v1(?:beta|alpha)?\/(?:models|tunedModels)\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(path) ?? [];
  if (model === "") return undefined;
  const streams = method === "streamGenerateContent";
  const asEvents = new URLSearchParams(query).get("alt") === "sse";
  return streams && !asEvents ? undefined : { model: decodeURIComponent(model), method, streams };
}

/**
 * What the server needs of a generateContent request, whatever the body holds.
 * @param cachedTools  tools of the cached content the request names
 */
export function readGoogleRequest(body: unknown, target: string, cachedTools: unknown): RequestFacts {
  const request = isJsonObject(body) ? body : {};
  const last = objects(request["contents"]).findLast((content) => content["role"] !== "model");
  const parts = objects(last?.["parts"]);
  const tools = [...objects(cachedTools), ...objects(request["tools"])];
  return {
    streams: readTarget(target)?.streams ?? true,
    wantsUsage: true,
    model: readTarget(target)?.model ?? "unknown",
    lastUserText: textOf(parts),
    toolResults: parts.flatMap((part) => resultOf(part["functionResponse"])),
    tools: tools.flatMap((tool) => objects(tool["functionDeclarations"]).map(nameOf)),
  };
}

/** What the model reads: system instruction, tools, contents. With a cached content that is what is cached, and no more. */
export function googlePrompt(body: unknown, model: string): Prompt | undefined {
  const request = isJsonObject(body) ? body : {};
  if (request["cachedContent"] !== undefined) return undefined;
  const parts = [request["systemInstruction"] ?? "", ...objects(request["tools"]), ...objects(request["contents"])];
  return { model, keeping: "automatic", parts: parts.map((part) => unmarkedPart("", part)) };
}

function resultOf(response: unknown): readonly ReceivedResult[] {
  if (!isJsonObject(response)) return [];
  const said = isJsonObject(response["response"]) ? response["response"] : {};
  const content = said["error"] ?? said["output"] ?? said["result"] ?? said;
  return [
    {
      name: typeof response["name"] === "string" ? response["name"] : undefined,
      isError: said["error"] !== undefined,
      content: typeof content === "string" ? content : JSON.stringify(content),
    },
  ];
}
