/** Group N of the attack catalogue, rows about where a connection goes; each beside the same without the check. */
import { createServer } from "node:http";
import { isPublicAddress } from "@capstan/patterns";
import { expect, test } from "vitest";
import { privateHosts } from "./support/private-hosts.ts";
import { listen, html, moved, openPlace, outcome, publicAddress } from "./support/web-place.ts";

const secret = "<p>the inside of a private machine, which nobody outside may read at all</p>";

test("N1: no spelling of a private address is connected to, nor asked for robots.txt", async () => {
  const { pages, dialled } = await openPlace({ "/": html(secret) });
  for (const host of privateHosts) {
    expect([host, await outcome(pages, `http://${host}/`)]).toEqual([
      host,
      expect.stringMatching(/^(?:ssrf_blocked|invalid_host)$/),
    ]);
  }
  expect(dialled).toEqual([]);
  // The same without the check: every one of them is an address that Node would connect to, or a name it would look up.
  expect(privateHosts.filter((host) => !URL.canParse(`http://${host}/`))).toEqual([]);
});

test("N2: a name with a private address among others is refused; one that changes its mind is connected to where it was checked", async () => {
  let looks = 0;
  const names = {
    "mixed.example": () => [publicAddress, "10.0.0.7"],
    // Public when it is looked at, private when it would be connected to.
    "rebinding.example": () => [(looks += 1) % 2 === 1 ? publicAddress : "127.0.0.1"],
    "nobody.example": () => [],
  };
  const { pages, dialled } = await openPlace({ "/": html(secret) }, names);
  expect(await outcome(pages, "http://mixed.example/")).toBe("ssrf_blocked");
  expect(await outcome(pages, "http://nobody.example/")).toBe("dns_failed");
  // robots.txt takes the first look; the second one is refused, and never used.
  expect(await outcome(pages, "http://rebinding.example/")).toBe("ssrf_blocked");
  expect(new Set(dialled)).toEqual(new Set([publicAddress]));
  // The same without the check: what is connected to is another look.
  looks = 0;
  expect([names["rebinding.example"](), names["rebinding.example"]()]).toEqual([[publicAddress], ["127.0.0.1"]]);
});

test.each([
  ["another host", "http://other.example/x", "moved http://other.example/x"],
  ["a private address", "http://127.0.0.1/admin", "ssrf_blocked"],
  ["a private address in other numbers", "http://2130706433/", "ssrf_blocked"],
  ["a mapped address", "http://[::ffff:10.0.0.1]/", "ssrf_blocked"],
  ["a file", "file:///etc/passwd", "invalid_scheme"],
  ["data", "data:text/html,<p>x", "invalid_scheme"],
  ["gopher", "gopher://127.0.0.1:6379/_x", "invalid_scheme"],
  ["another port", "http://first.example:8080/", "port_blocked"],
  ["another user", "http://me:pass@first.example/", "invalid_url"],
  ["itself without an end", "/", "redirect_limit"],
])("N3: a page that moves to %s is not followed there", async (_what, to, expected) => {
  const { pages, dialled, asked } = await openPlace({ "/": moved(to), "/x": html(secret) });
  expect(await outcome(pages, "http://first.example/")).toBe(expected);
  expect(dialled.every(isPublicAddress)).toBe(true);
  expect(asked.filter((each) => !each.startsWith("first.example"))).toEqual([]);
});

test("N3: the same without the check: what follows by itself reads the private page, and takes the credential along within its host", async () => {
  const inside = createServer((_request, response) => response.end(secret));
  const insidePort = await listen(inside);
  const outside = createServer((_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${insidePort}/` }).end(),
  );
  const port = await listen(outside);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe(secret);
  for (const server of [inside, outside]) server.close();
});

test("N3: nothing is sent but what says who reads: no cookie that was set, no credential", async () => {
  const { pages, headers } = await openPlace({
    "/": (_request, response) =>
      response.writeHead(302, { location: "/second", "set-cookie": "session=1; Path=/" }).end(),
    "/second": html(`<main>${"long enough to be the page itself, in words that matter ".repeat(2)}</main>`),
  });
  expect(await outcome(pages, "http://first.example/")).toMatch(/^long enough/);
  expect(headers.length).toBe(3);
  for (const sent of headers) {
    expect(Object.keys(sent).toSorted()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  }
});

test.each([
  ["http://good.example@bad.example/", "invalid_url"],
  ["http://good.example\u0000.bad.example/", "invalid_url"],
  ["http://good.example\\@bad.example/", "invalid_url"],
  ["http://good.example%2f.bad.example/", "invalid_host"],
  ["http://good.example\t.bad.example/", "invalid_url"],
  ["http:///good.example/", "invalid_host"],
  ["http:good.example/", "invalid_host"],
  ["http://[fe80::1%25eth0]/", "invalid_host"],
  ["http://good.example:99999/", "invalid_host"],
  ["good.example", "invalid_url"],
  [`http://good.example/${"a".repeat(5000)}`, "invalid_url"],
])("N4: %s is read by nobody in two ways", async (url, expected) => {
  const { pages, dialled } = await openPlace({});
  expect([await outcome(pages, url), dialled]).toEqual([expected, []]);
});

test("N4: a host is what it is after IDNA, in small letters, without a dot at its end", async () => {
  const { pages } = await openPlace({});
  const host = async (url: string): Promise<string | undefined> => {
    const read = await pages.read(url);
    return read.type === "address" ? read.host : read.code;
  };
  expect(await host("HTTPS://Good.EXAMPLE./a#b")).toBe("good.example");
  expect(await host("https://gооd.example/")).toBe("xn--gd-fmca.example");
  expect(await host("https://good.example.bad.example/")).toBe("good.example.bad.example");
  expect(await host("https://93.184.216.34/")).toBe("93.184.216.34");
  expect(await host("https://good.example:443/")).toBe("good.example");
  expect(await host("http://good.example:443/")).toBe("good.example");
});
