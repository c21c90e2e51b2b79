import { expect, test } from "vitest";
import { coversAddress, coversHost, opensHost, problemOfAddress, problemOfHost } from "../../src/rules/host-pattern.ts";

/** What a pattern does with each host: `opens` it, only `covers` it (a deny counts, an allow does not), or nothing. */
function reach(pattern: string, host: string): "opens" | "covers" | "nothing" {
  if (opensHost(pattern, host)) return "opens";
  return coversHost(pattern, host) ? "covers" : "nothing";
}

test.each<[string, string, ReturnType<typeof reach>]>([
  ["example.org", "example.org", "opens"],
  ["example.org", "EXAMPLE.org.", "opens"],
  ["Example.ORG", "example.org:443", "opens"],
  ["example.org", "example.org:80", "opens"],
  ["example.org", "example.org:8443", "nothing"],
  ["example.org:8443", "example.org:8443", "opens"],
  ["example.org:8443", "example.org:443", "nothing"],
  ["example.org:443", "example.org", "nothing"],
  ["example.org", "www.example.org", "nothing"],
  ["example.org", "example.org.evil", "nothing"],
  ["*.example.org", "www.example.org", "opens"],
  ["*.example.org", "a.b.example.org:443", "opens"],
  ["*.example.org", "example.org", "nothing"],
  ["*.example.org", ".example.org", "nothing"],
  ["*.example.org", "wwwexample.org", "nothing"],
  ["*.example.org:8443", "www.example.org:8443", "opens"],
  ["*.example.org:8443", "www.example.org", "nothing"],
  ["*", "example.org", "opens"],
  ["*", "example.org:8443", "nothing"],
  ["*:8443", "example.org:8443", "opens"],
  // A star opens public names only; what restricts by a star covers all.
  ["*", "localhost", "covers"],
  ["*", "db", "covers"],
  ["*", "a.localhost", "covers"],
  ["*", "127.0.0.1", "covers"],
  ["*", "a.0x7f", "covers"],
  ["*", "a.0Xff", "covers"],
  ["*", "[::1]", "covers"],
  ["*", "a..org", "covers"],
  ["*", "a b.org", "covers"],
  ["*", "bücher.example", "opens"],
  ["*.1", "a.1", "covers"],
  ["localhost", "localhost", "opens"],
  ["127.0.0.1", "127.0.0.1", "opens"],
  ["[::1]:3000", "[::1]:3000", "opens"],
  ["[::1]", "[::2]", "nothing"],
])("%s and %s: it %s", (pattern, host, expected) => {
  expect(reach(pattern, host)).toBe(expected);
});

test.each<[string, string, boolean, boolean]>([
  // The pattern, a path of example.org, and whether an allow and a deny cover it.
  ["example.org", "/any", true, true],
  ["example.org/docs", "/docs", true, true],
  ["example.org/docs", "/docs/a", true, true],
  ["example.org/docs", "/docsx", false, false],
  ["example.org/docs/", "/docs/a", true, true],
  ["example.org/docs/", "/docs", false, false],
  ["example.org/", "/any", true, true],
  ["other.org/docs", "/docs", false, false],
  ["example.org/docs", "/docs/%2e%2e/x", false, true],
  ["example.org/docs", "/docs/%2Fx", false, true],
  ["example.org/docs", "/docs/%5cx", false, true],
  ["example.org/docs", "/docs\\x", false, true],
  ["example.org/docs", "//docs", false, true],
  ["example.org", "/docs//x", true, true],
])("%s and the path %s", (pattern, path, allows, denies) => {
  const address = { host: "example.org", path };
  expect([coversAddress(pattern, address, "allow"), coversAddress(pattern, address, "deny")]).toEqual([allows, denies]);
});

test("a star of an allow opens no address of this machine, with a path or without; a deny's covers it", () => {
  const address = { host: "localhost", path: "/" };
  const verdicts = ["allow", "ask", "deny"] as const;
  expect(verdicts.map((verdict) => coversAddress("*", address, verdict))).toEqual([false, true, true]);
});

test("a host is written as hosts are", () => {
  const right = ["a", "example.org", "*.example.org", "*", "example.org:1", "example.org:65535", "a-b.c1"];
  const addresses = ["10.0.0.1", "255.255.255.255", "0.0.0.0", "[::1]", "[::1]:3000", "10.0.0.1:80"];
  expect([...right, ...addresses].filter((pattern) => problemOfHost(pattern) !== undefined)).toEqual([]);
});

test("a host that never is, and one that is written in no known way, are wrong", () => {
  const never = ["10.0.0.256", "10.0.0.01", "10.0.0", "10.0.0.0.1", "127.1", "0x7f", "a.0x7f", "*.1", "a..b"];
  const ports = ["example.org:0", "example.org:65536", "example.org:99999"];
  const odd = ["", "-a", "a-", "*a.org", "a.*.org", "*.", "exa mple.org", "bücher.de", "a:b", "[::g]", "[]"];
  for (const pattern of [...never, ...ports])
    expect([pattern, problemOfHost(pattern)]).toEqual([pattern, expect.stringContaining("ever called so")]);
  for (const pattern of odd) expect([pattern, problemOfHost(pattern)]).toEqual([pattern, expect.any(String)]);
});

test("the path of an address is written as it begins", () => {
  const right = ["example.org", "example.org/", "example.org/a/b", "example.org/~a(b)%20", "*.example.org:8443/x"];
  expect(right.filter((pattern) => problemOfAddress(pattern) !== undefined)).toEqual([]);
  const wrong = ["example.org/*", "example.org/a?b", "example.org/a b", "example.org/a#b", "a..b/x", "example.org:0/x"];
  expect(wrong.filter((pattern) => problemOfAddress(pattern) === undefined)).toEqual([]);
});
