import type { JsonObject, ModelRequest, ModelSettings, UserBlock } from "@capstan/protocol";
import { expect, test } from "vitest";
import { toAnthropicBody, toChatBody, toGoogleBody, toResponsesBody } from "../../src/index.ts";
import { limits } from "../../src/limits.ts";
import { model } from "../fixtures/calls.ts";
import { asking, user } from "../fixtures/conversations.ts";

const bodies: readonly ((request: ModelRequest, settings: ModelSettings) => JsonObject)[] = [
  toAnthropicBody,
  toChatBody,
  toGoogleBody,
  toResponsesBody,
];

test("what a model does not understand is described to it in words, on every wire", () => {
  const kinds = [media("image/png"), media("application/pdf"), media("audio/wav"), media("Video/MP4")];
  for (const toBody of bodies) {
    const reported = JSON.stringify(toBody(asking(user("look", ...kinds)), model({}, { inputs: [] })));
    for (const { mediaType } of kinds) {
      expect(reported, `${toBody.name}, ${mediaType}`).toContain(
        `[attachment a: ${mediaType} cannot be shown to this model]`,
      );
    }
    expect(reported, `on ${toBody.name}`).not.toContain("aGk=");
    const texts = JSON.stringify(toBody(asking(user("look", media("text/plain"))), model({}, { inputs: [] })));
    expect(texts, `on ${toBody.name}`).not.toContain("cannot be shown");
  }
});

test("what a model understands is sent, and a model nobody knows is sent everything its wire takes", () => {
  for (const toBody of bodies) {
    const request = asking(user(media("image/png"), media("application/pdf")));
    const images = JSON.stringify(toBody(request, model({}, { inputs: ["image"] })));
    expect(images, `on ${toBody.name}`).toContain("aGk=");
    expect(images, `on ${toBody.name}`).toContain("[attachment a: application/pdf cannot be shown to this model]");
    expect(JSON.stringify(toBody(request, model())), `on ${toBody.name}`).not.toContain("cannot be shown");
  }
});

test("an attachment that its vendor would refuse for its size is reported in words", () => {
  check(toAnthropicBody, "image/png", limits.anthropicImageChars);
  check(toAnthropicBody, "application/pdf", limits.anthropicFileChars);
  check(toGoogleBody, "video/mp4", limits.googleMediaChars);
  check(toResponsesBody, "application/pdf", limits.openAiMediaChars);
  check(toChatBody, "image/png", limits.openAiMediaChars);
});

test("an image of a kind the vendor does not take is reported in words", () => {
  for (const toBody of [toAnthropicBody, toGoogleBody, toResponsesBody]) {
    const reported = JSON.stringify(toBody(asking(user(media("image/bmp"))), model()));
    expect(reported, `on ${toBody.name}`).toContain("[attachment a: image/bmp cannot be shown to this model]");
  }
});

function check(toBody: (typeof bodies)[number], mediaType: string, limitChars: number): void {
  const body = (data: string): string => JSON.stringify(toBody(asking(user({ ...media(mediaType), data })), model()));
  const reported = `[attachment a: ${mediaType} is too large to be shown to this model]`;
  expect(body("a".repeat(limitChars)).includes(reported), `${toBody.name} takes ${limitChars}`).toBe(false);
  expect(body("a".repeat(limitChars + 4)).includes(reported), `${toBody.name} refuses more`).toBe(true);
}

function media(mediaType: string): Extract<UserBlock, { readonly type: "media" }> {
  return { type: "media", mediaType, data: "aGk=", name: "a" };
}
