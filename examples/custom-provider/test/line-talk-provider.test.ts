import type { ServerResponse } from "node:http";
import type { JsonObject, ModelSettings } from "@capstan/protocol";
import { modelProviderContract, type Performance } from "@capstan/testkit";
import { createLineTalkProvider } from "../line-talk-provider.ts";
import { serveLineTalk, writeLines } from "../line-talk-server.ts";

const model: ModelSettings = {
  provider: "parrot",
  id: "grey",
  wire: "line-talk",
  contextWindowTokens: 8000,
  maxOutputTokens: 1000,
  options: {},
};

modelProviderContract("line talk", async (performance) => {
  const server = await serveLineTalk((response) => perform(response, performance));
  if (performance.type === "nobody") await server.close();
  return {
    provider: createLineTalkProvider({ name: model.provider, baseUrl: server.url }),
    model,
    dispose: () => server.close(),
  };
});

function perform(response: ServerResponse, performance: Performance): void {
  switch (performance.type) {
    case "answer": {
      const calls = (performance.calls ?? []).map((call): JsonObject => ({ call: { ...call } }));
      writeLines(response, [...textLines(performance.text), ...calls, { end: { read: 10, written: 5 } }]);
      response.end();
      return;
    }
    case "cut":
      writeLines(response, textLines(performance.text.slice(0, 100)));
      response.write('{"text": "torn', () => response.destroy());
      return;
    case "silence":
      writeLines(response, textLines(performance.text.slice(0, 100)));
      return;
    case "overloaded":
      response.writeHead(503).end("no");
      return;
    case "nobody":
  }
}

function textLines(text: string): readonly JsonObject[] {
  return (text.match(/[^]{1,100}/gu) ?? []).map((piece) => ({ text: piece }));
}
