import { expect, test } from "vitest";
import { forwardPath, parseTarget } from "../../src/record/target.ts";

test("what a client asks here is asked there, whatever part of the path its base URL has", () => {
  checkPath("", "/v1/messages", "/v1/messages");
  checkPath("/", "/v1/messages?beta=true", "/v1/messages?beta=true");
  checkPath("/v1", "/v1/chat/completions", "/v1/chat/completions");
  checkPath("/v1/", "/v1/chat/completions", "/v1/chat/completions");
  checkPath("/v1", "/chat/completions", "/v1/chat/completions");
  checkPath("/api/v1", "/v1/chat/completions", "/api/v1/chat/completions");
  checkPath("/api/v1", "/api/v1/chat/completions", "/api/v1/chat/completions");
  checkPath("/api/v1", "/chat/completions", "/api/v1/chat/completions");
  checkPath("/v1beta/openai", "/v1beta/openai/chat/completions", "/v1beta/openai/chat/completions");
  checkPath(
    "/v1beta",
    "/v1beta/models/m:streamGenerateContent?alt=sse",
    "/v1beta/models/m:streamGenerateContent?alt=sse",
  );
  checkPath("/v1", "/v1/v1/odd", "/v1/v1/odd");
  checkPath("/gateway", "/v1/messages", "/gateway/v1/messages");
});

test("a target is an https address, or this machine's; everything else is refused with what to do", () => {
  for (const address of ["https://api.test/v1", "http://127.0.0.1:81", "http://localhost:8080/v1", "http://[::1]:1"]) {
    expect(parseTarget(address).href).toContain(address);
  }
  checkRefused("http://api.test", /plain http would show the key/);
  checkRefused("http://127.0.0.1.evil.test", /plain http would show the key/);
  checkRefused("api.test", /takes an http\(s\) address, not "api.test"/);
  checkRefused("file:///etc/passwd", /takes an http\(s\) address/);
  checkRefused("https://me:pass@api.test", /without user, query or fragment/);
  checkRefused("https://api.test/?key=1", /without user, query or fragment/);
});

function checkPath(base: string, target: string, expected: string): void {
  expect(forwardPath(base === "" ? "/" : base, target)).toBe(expected);
}

function checkRefused(target: string, message: RegExp): void {
  expect(() => parseTarget(target)).toThrow(message);
}
