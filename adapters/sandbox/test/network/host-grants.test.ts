import { expect, test } from "vitest";
import { findGrant, mayConnect, parseAuthority, parseGrant, withOwn } from "../../src/network/host-grants.ts";

function isOpen(granted: string, asked: string): boolean {
  const grant = parseGrant(granted);
  const target = parseAuthority(asked);
  return grant !== undefined && target !== undefined && findGrant([grant], target) !== undefined;
}

test("a grant opens its host and port in every spelling, and nothing else", () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["example.org", "example.org:443", true],
    ["example.org", "EXAMPLE.org.:80", true],
    ["example.org", "example.org:8080", false],
    ["example.org:8080", "example.org:8080", true],
    ["example.org:8080", "example.org:443", false],
    ["example.org", "sub.example.org:443", false],
    ["example.org", "badexample.org:443", false],
    ["example.org", "example.org.bad.net:443", false],
    ["*.example.org", "a.b.example.org:443", true],
    ["*.example.org", "example.org:443", false],
    ["*.example.org", "badexample.org:443", false],
    ["bücher.example", "xn--bcher-kva.example:443", true],
    ["127.0.0.1:8080", "2130706433:8080", true],
    ["[::1]:80", "[0:0:0:0:0:0:0:1]:80", true],
    ["2606:4700:4700::1111", "[2606:4700:4700::1111]:443", true],
  ];
  expect(cases.filter(([granted, asked, expected]) => isOpen(granted, asked) !== expected)).toEqual([]);
});

test("what can be read in two ways names no host", () => {
  const names = [
    "good@bad:80",
    "good\u0000.bad:80",
    "a b:80",
    "a%2fb:80",
    "a/b:80",
    "a\\b:80",
    "a?b:80",
    "a#b:80",
    ":80",
    "a",
    "a:0",
    "a:65536",
    "a:80:80",
    "[::1",
    "a\u200b.b:80",
    `${"a".repeat(300)}:80`,
  ];
  expect(names.filter((name) => parseAuthority(name) !== undefined)).toEqual([]);
  expect(["*.1.2.3.4", "", "*.", "a b", "http://a"].filter((name) => parseGrant(name) !== undefined)).toEqual([]);
});

function named(wanted: string, own: string, ...addresses: readonly string[]): boolean {
  const grants = [parseGrant(wanted)].flatMap((grant) => grant ?? []);
  return withOwn(grants, [own]).every((grant) => mayConnect(grant, addresses));
}

test("a name that the user named one by one may lie in a private network, and in nothing else that is special", () => {
  expect(named("mirror.corp:8080", "mirror.corp:8080", "10.1.2.3", "fd00::1")).toBe(true);
  expect(named("mirror.corp", "Mirror.Corp", "192.168.1.1", "1.1.1.1")).toBe(true);
  const closed: readonly (readonly [wanted: string, own: string, address: string])[] = [
    ["mirror.corp:8080", "mirror.corp", "10.1.2.3"],
    ["mirror.corp", "*.corp", "10.1.2.3"],
    ["mirror.corp", "*", "10.1.2.3"],
    ["other.corp", "mirror.corp", "10.1.2.3"],
    ["mirror.corp", "mirror.corp", "127.0.0.1"],
    ["mirror.corp", "mirror.corp", "169.254.169.254"],
    ["mirror.corp", "mirror.corp", "::1"],
    ["mirror.corp", "mirror.corp", "fe80::1"],
    ["mirror.corp", "mirror.corp", "::ffff:10.0.0.1"],
    ["localhost", "localhost", "10.1.2.3"],
  ];
  expect(closed.filter(([wanted, own, address]) => named(wanted, own, address))).toEqual([]);
});

function may(granted: string, ...addresses: readonly string[]): boolean | undefined {
  const grant = parseGrant(granted);
  return grant && mayConnect(grant, addresses);
}

test("one address that may not be reached closes a name; naming the address itself opens it", () => {
  expect(may("example.org", "1.1.1.1", "2606:4700:4700::1111")).toBe(true);
  expect(may("example.org", "1.1.1.1", "10.0.0.1")).toBe(false);
  expect(may("example.org")).toBe(false);
  expect(may("10.0.0.1", "10.0.0.1")).toBe(true);
  expect(may("localhost:8080", "127.0.0.1", "::1")).toBe(true);
  expect(may("localhost:8080", "10.0.0.1")).toBe(false);
  expect(may("localhost", "127.0.0.1")).toBe(false);
});

test("an address that is granted opens itself and no other, public or not", () => {
  const granted = ["10.0.0.1", "1.1.1.1", "127.0.0.1:8080", "2606:4700:4700::1111", "::1"];
  const others = ["10.0.0.2", "1.0.0.1", "127.0.0.2", "2606:4700:4700::1001", "::ffff:1.1.1.1", "fd00::1"];
  for (const grant of granted) {
    const own = grant.replace(/(?<=\.\d+):\d+$/, "");
    expect([grant, may(grant, own)]).toEqual([grant, true]);
    expect([grant, others.filter((other) => may(grant, other) === true)]).toEqual([grant, []]);
    expect([grant, others.filter((other) => may(grant, own, other) === true)]).toEqual([grant, []]);
  }
});
