import { chatWire } from "../openai-chat/chat-wire.ts";
import type { Wire } from "../wire.ts";
import { checkResponsesRequest } from "./check-responses-request.ts";
import { readResponsesRequest, responsesPrompt } from "./read-responses-request.ts";
import { renderResponse, renderResponsesError, renderResponsesEvents } from "./render-responses.ts";

/** OpenAI's Responses API, without a store. Keys, errors and models are those of the vendor's older wire. */
export const responsesWire: Wire = {
  ...chatWire,
  name: "openai-responses",
  paths: ["/v1/responses", "/responses"],
  claims: () => false,
  checkBody: (body, _headers, _thinkingOf, { foreignSignatures = false }) =>
    checkResponsesRequest(body, { foreignSignatures }),
  read: readResponsesRequest,
  promptOf: (body, { model }) => responsesPrompt(body, model),
  renderEvents: renderResponsesEvents,
  renderWhole: renderResponse,
  renderErrorEvent: renderResponsesError,
};
