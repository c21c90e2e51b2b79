import { isPublicAddress } from "@capstan/patterns";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { insiders, privateHosts } from "./support/private-hosts.ts";
import { openPlace, outcome } from "./support/web-place.ts";

test("N1: of 1,000 generated addresses none reaches a private one, by itself, by its name, or by where it moves to", async () => {
  const names = new Map<string, () => readonly string[]>();
  const resolve = (host: string): Promise<readonly string[]> => Promise.resolve((names.get(host) ?? (() => []))());
  const { dialled, network, again } = await openPlace({});
  const pages = again({ network: { ...network, resolve } });
  const host = fc.oneof(
    fc.constantFrom(...privateHosts),
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6().map((address) => `[${address}]`),
    fc
      .tuple(fc.domain(), fc.array(fc.oneof(fc.constantFrom(...insiders), fc.ipV4(), fc.ipV6()), { maxLength: 3 }))
      .map(([name, addresses]) => {
        names.set(name, () => addresses);
        return name;
      }),
  );
  const prefix = fc.constantFrom(
    "http://",
    "https://",
    "HTTP://",
    "http:\\\\",
    "http:///",
    "http://good.example@",
    "ftp://",
    "//",
  );
  const address = fc
    .tuple(prefix, host, fc.constantFrom("", ":80", ":443", ":22", ":8080", ":0", "."), fc.webPath())
    .map((parts) => parts.join(""));
  let [reached, naive] = [0, 0];
  await fc.assert(
    fc.asyncProperty(address, async (url) => {
      const before = dialled.length;
      await outcome(pages, url, { noCache: true });
      const mine = dialled.slice(before);
      reached += mine.length;
      expect(mine.filter((each) => !isPublicAddress(each))).toEqual([]);
      // The same without checks: what a program that takes the address as it is would connect to.
      if (!URL.canParse(url)) return;
      const named = new URL(url).hostname.replace(/^\[|\]$/g, "");
      const [first = named] = await resolve(named);
      if (!isPublicAddress(first)) naive += 1;
    }),
    { numRuns: 1000 },
  );
  expect(reached).toBeGreaterThan(0);
  expect(naive).toBeGreaterThan(200);
});
