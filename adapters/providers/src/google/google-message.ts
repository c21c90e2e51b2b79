import {
  type AssistantBlock,
  type AssistantMessage,
  type JsonObject,
  type Message,
  unreachable,
  type UserBlock,
  type UserMessage,
} from "@capstan/protocol";
import { emptyPlaceholder, isBlank } from "../shared/request/placeholder.ts";
import { type UserForms, userParts } from "../shared/request/user-parts.ts";
import { wireCallId } from "../shared/request/wire-names.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { googleToolName } from "./google-tools.ts";

/** The vendor states no limit for ids; those it sends itself are shorter. */
const callIdChars = 128;

/**
 * Stands for a signature there cannot be: the call is another vendor's. Documented for this case
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
const foreignSignature = "skip_thought_signature_validator";

const mediaTypes: readonly RegExp[] = [
  /^image\/(png|jpeg|webp|heic|heif)$/,
  /^application\/pdf$/,
  /^audio\/(wav|x-wav|mp3|mpeg|aiff|aac|ogg|flac)$/,
  /^video\/(mp4|mpeg|mov|quicktime|avi|x-flv|mpg|webm|wmv|3gpp)$/,
];

/** How one message is to be written. */
export interface GoogleStyle {
  /** Name of the provider the request goes to: only its own signatures and items are sent back. */
  readonly provider: string;
  /** The model refuses calls without a signature. */
  readonly needsSignatures: boolean;
  /** Names of the calls in the message before, by id: a response must bear the name of its call. */
  readonly callNames: ReadonlyMap<string, string>;
}

/** One content of the wire. Never empty, never throws. */
export function toGoogleContent(message: Message, style: GoogleStyle): JsonObject {
  const parts = message.role === "user" ? partsOfUser(message, style) : modelParts(message, style);
  return {
    role: message.role === "user" ? "user" : "model",
    parts: parts.length === 0 ? [textPart(emptyPlaceholder)] : parts,
  };
}

/** The vendor wants all responses of a batch together, before anything else. */
function partsOfUser(message: UserMessage, style: GoogleStyle): readonly JsonObject[] {
  const results = message.content.filter((block) => block.type === "tool-result");
  const others = message.content.filter((block) => block.type !== "tool-result");
  return [...results, ...others].flatMap((block) => toUserParts(block, style));
}

function toUserParts(block: UserBlock, style: GoogleStyle): readonly JsonObject[] {
  if (block.type !== "tool-result") return userParts(block, userForms);
  return [
    {
      functionResponse: {
        id: wireCallId(block.callId, callIdChars),
        name: googleToolName(style.callNames.get(block.callId) ?? block.toolName),
        response: { [block.isError ? "error" : "output"]: wellFormed(block.content) },
      },
    },
  ];
}

const userForms: UserForms = {
  text: textPart,
  media: ({ mediaType, data }) =>
    mediaTypes.some((pattern) => pattern.test(mediaType)) ? { inlineData: { mimeType: mediaType, data } } : undefined,
};

function modelParts(message: AssistantMessage, style: GoogleStyle): readonly JsonObject[] {
  const own = message.origin.wire === "google" && message.origin.provider === style.provider;
  const firstCall = message.content.findIndex((block) => block.type === "tool-call");
  return message.content.flatMap((block, at) => {
    const parts = toModelParts(block, own);
    // Of parallel calls the vendor signs, and checks, the first.
    if (at !== firstCall || !style.needsSignatures) return parts;
    return parts.map((part) => ({ thoughtSignature: foreignSignature, ...part }));
  });
}

function toModelParts(block: AssistantBlock, own: boolean): readonly JsonObject[] {
  switch (block.type) {
    case "text": {
      const signature = signed(block.signature, own);
      if (isBlank(block.text) && (signature["thoughtSignature"] === undefined || block.text === "")) return [];
      return [{ ...textPart(block.text), ...signature }];
    }
    case "thinking": {
      // A summary without a signature says nothing to the vendor that it does not know.
      if (!own || (block.signature ?? "") === "") return [];
      return [{ ...textPart(block.text), thought: true, ...signed(block.signature, own) }];
    }
    case "tool-call": {
      const functionCall = {
        id: wireCallId(block.callId, callIdChars),
        name: googleToolName(block.name),
        // Malformed arguments have no form on this wire; the call's result says what was wrong with them.
        args: block.arguments.type === "json" ? wellFormedObject(block.arguments.value) : {},
      };
      return [{ functionCall, ...signed(block.signature, own) }];
    }
    case "provider-item":
      return own ? [wellFormedObject(block.item)] : [];
    default:
      return unreachable(block);
  }
}

function signed(signature: string | undefined, own: boolean): JsonObject {
  return own && signature !== undefined && signature !== "" ? { thoughtSignature: wellFormed(signature) } : {};
}

function textPart(text: string): JsonObject {
  return { text: wellFormed(text) };
}
