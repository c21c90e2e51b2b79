import { expect, test } from "vitest";
import { checkGoogleRequest, isOwnSignature, signPart } from "@capstan/rehearsal";

const user = (...parts: readonly object[]): object => ({ role: "user", parts });
const answer = (...parts: readonly object[]): object => ({ role: "model", parts });
const signature = (name: string): string => signPart({ type: "call", name }, "1");
const called = (name: string, more: object = {}): object => ({
  functionCall: { name, args: {} },
  thoughtSignature: signature(name),
  ...more,
});
const unsigned = (name: string): object => ({ functionCall: { name, args: {} } });
const response = (name: string, more: object = {}): object => ({
  functionResponse: { name, response: { output: "r" }, ...more },
});
const tool = (more: object = {}): object => ({
  functionDeclarations: [{ name: "f", description: "d", parametersJsonSchema: { type: "object" }, ...more }],
});
const talk = (...contents: readonly object[]): object => ({ contents });
const asked = user({ text: "hi" });
const base = talk(asked);
const exchange = [
  { role: "user", parts: [{ text: "q" }] },
  { role: "model", parts: [{ text: "a" }] },
] as const;

test("requests the vendor accepts are accepted", () => {
  checkAccepted(base);
  checkAccepted(talk({ parts: [{ text: "no role" }] }));
  checkAccepted(
    talk(asked, answer({ text: "a" }, called("f"), unsigned("g")), user(response("f"), response("g"), { text: "and" })),
  );
  checkAccepted(
    talk(
      asked,
      answer({ functionCall: { id: "1", name: "f" }, thoughtSignature: signature("f") }),
      user(response("f", { id: "1" })),
    ),
  );
  checkAccepted(
    talk(
      asked,
      answer({ ...unsigned("f"), thoughtSignature: "skip_thought_signature_validator" }),
      user(response("f")),
    ),
  );
  checkAccepted(talk(asked, answer(unsigned("f")), user(response("f")), answer({ text: "done" }), asked));
  checkAccepted(talk(asked, answer(unsigned("f")), user(response("f"))), { model: "gemini-2.5-pro" });
  checkAccepted(talk(asked, answer({ text: "", thoughtSignature: signPart({ type: "text" }, "1") }), asked));
  checkAccepted(talk(user({ inlineData: { mimeType: "image/png", data: "aGk=" } })));
  checkAccepted({ ...base, tools: [tool()], systemInstruction: { parts: [{ text: "s" }] } });
  checkAccepted({
    ...base,
    tools: [
      tool({ parametersJsonSchema: undefined, parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } } }),
    ],
  });
  checkAccepted({
    ...base,
    generationConfig: { maxOutputTokens: 10, thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" } },
  });
  checkAccepted({ ...base, cachedContent: "cachedContents/1" }, { cachedContents: () => [] });
  checkAccepted({ ...base, cachedContent: "cachedContents/1" }, { cachedContents: () => exchange });
});

test("requests the vendor refuses are refused, with the place and the reason", () => {
  checkRefused(undefined, /./);
  checkRefused({}, /contents: missing field/);
  checkRefused({ contents: [] }, /contents is not specified/);
  checkRefused({ ...base, foo: 1 }, /Unknown name "foo"/);
  checkRefused(talk(user({ text: "a", foo: 1 })), /contents\[0\]\.parts\[0\]\.foo: .*Unknown name "foo"/);
  checkRefused(talk({ role: "assistant", parts: [{ text: "a" }] }), /valid role/);
  checkRefused(talk(user()), /at least one parts field/);
  checkRefused(talk(user({ text: "" })), /must not be empty/);
  checkRefused(talk(user({})), /must have one initialized field/);
  checkRefused(talk(user({ text: "a", functionResponse: { name: "f", response: {} } })), /already set/);
  checkRefused(talk(user({ text: "a\ud83d" })), /surrogate/);
  checkRefused(talk(answer({ text: "a" })), /begins with a user role/);
  checkRefused(talk(asked, asked), /alternate/);
  checkRefused(talk(asked, answer({ text: "a" })), /ends with a user role/);
  checkRefused(talk(user(unsigned("f"))), /function call turns are the model's/);
  checkRefused(talk(user({ text: "a", thought: true })), /are the model's/);
  checkRefused(talk(asked, answer(response("f")), asked), /not the model's/);
  checkRefused(
    { ...base, systemInstruction: { parts: [{ inlineData: { mimeType: "image/png", data: "aGk=" } }] } },
    /must be text/,
  );
  checkRefused(talk(user({ inlineData: { mimeType: "image/png", data: "" } })), /Base64/);
});

test("calls and responses pair in number, order, name and id", () => {
  const turn = (...responses: readonly object[]): object =>
    talk(asked, answer(called("f"), unsigned("g")), user(...responses));
  checkRefused(turn({ text: "no" }), /number of function response parts/);
  checkRefused(turn(response("f")), /number of function response parts/);
  checkRefused(turn(response("g"), response("f")), /is of g, but the call in its place is of f/);
  checkRefused(turn({ text: "first" }, response("f"), response("g")), /come first/);
  checkRefused(talk(user(response("f"))), /immediately after a function call turn/);
  checkRefused(turn(response("f", { id: "1" }), response("g")), /id is 1, but the call in its place has none/);
  checkRefused(talk(asked, answer(called("9f")), user(response("9f"))), /Invalid function name/);
});

test("signatures are required where the vendor requires them, and must be its own", () => {
  const turn = (...parts: readonly object[]): object => talk(asked, answer(...parts), user(response("f")));
  checkRefused(turn(unsigned("f")), /missing a thought_signature .* `f`$/);
  checkRefused(turn({ ...unsigned("f"), thoughtSignature: "c2ln" }), /not valid/);
  checkRefused(turn({ ...unsigned("f"), thoughtSignature: signature("g") }), /not valid/);
  checkRefused(turn({ text: "a", thoughtSignature: signature("f") }, called("f")), /not valid/);
  checkRefused(talk(asked, answer({ text: "a", thoughtSignature: "c2ln" }), asked), /not valid/);
  const placeholder = { thoughtSignature: "skip_thought_signature_validator" };
  const placeheld = talk(
    asked,
    answer({ functionCall: { id: "1", name: "f", args: {} }, ...placeholder }),
    user(response("f", { id: "1" })),
  );
  expect(checkGoogleRequest(placeheld)).toBeUndefined();
  expect(checkGoogleRequest(placeheld, { thinkingOf: () => "sent" })?.message).toMatch(/own signature must come back/);
  expect(isOwnSignature({ type: "text" }, "")).toBe(false);
  // A name the wire does not take cannot come back as it was.
  checkAccepted(turn({ ...unsigned("f"), thoughtSignature: signature("f/ä") }));
});

test("tools, thinking and cached contents", () => {
  checkRefused({ ...base, tools: [tool(), tool()] }, /Duplicate function declaration/);
  checkRefused({ ...base, tools: [tool({ parametersJsonSchema: { type: "array" } })] }, /must be an object/);
  checkRefused({ ...base, tools: [tool({ parameters: { type: "OBJECT" } })] }, /mutually exclusive/);
  const subset = (parameters: object): object => ({
    ...base,
    tools: [tool({ parametersJsonSchema: undefined, parameters })],
  });
  checkRefused(subset({ type: "OBJECT", properties: {} }), /non-empty for OBJECT/);
  checkRefused(subset({ type: "OBJECT", properties: { a: { $ref: "#" } } }), /Unknown name "\$ref"/);
  checkRefused(subset({ type: "OBJECT", properties: { a: { type: "ARRAY" } } }), /items: missing field/);
  const thinkingConfig = { thinkingBudget: 1, thinkingLevel: "LOW" };
  checkRefused({ ...base, generationConfig: { thinkingConfig } }, /only one of/);
  const cached = { ...base, cachedContent: "cachedContents/1" };
  expect(checkGoogleRequest(cached)).toEqual({
    status: 403,
    type: "PERMISSION_DENIED",
    message: "CachedContent not found (or permission denied)",
  });
  expect(checkGoogleRequest({ ...cached, tools: [tool()] }, { cachedContents: () => [] })?.message).toMatch(
    /CachedContent can not be used/,
  );
});

function checkAccepted(body: unknown, options: Parameters<typeof checkGoogleRequest>[1] = {}): void {
  expect(checkGoogleRequest(body, options)).toBeUndefined();
}

function checkRefused(body: unknown, message: RegExp): void {
  const problem = checkGoogleRequest(body);
  expect([problem?.status, problem?.type, problem?.message]).toEqual([
    400,
    "INVALID_ARGUMENT",
    expect.stringMatching(message),
  ]);
}
