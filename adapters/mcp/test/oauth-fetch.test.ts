import { expect, test } from "vitest";
import { oauthFetch } from "../src/connect/oauth-fetch.ts";

/** Asked without encryption, so that nothing is sent wherever it lies. */
async function refusal(host: string, server = "https://8.8.8.8/mcp"): Promise<string> {
  const answer = await oauthFetch(server)(`http://${host}/authorize`).catch((error: unknown) => String(error));
  return typeof answer === "string" ? answer : "it was sent";
}

/** The first and last address of each network. */
const inside = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["[::]", "[::1]"],
  ["[fc00::]", "[fdff:ffff::]"],
  ["[fe80::]", "[febf:ffff::]"],
  ["[::ffff:10.0.0.1]", "[::ffff:8.8.8.8]"],
].flat();

test.each(inside)("a login is not sent to %s, which lies inside of the user's network", async (host) => {
  expect(await refusal(host)).toContain("which lies inside of your network");
});

const outside = [
  ["1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0"],
  ["[2600::1]", "[2a00:1450:4001:80b::200e]"],
].flat();

test.each(outside)("a login is sent to %s with encryption only", async (host) => {
  expect(await refusal(host)).toContain("without encryption");
});

test("a server inside of the network may name others there, and none outside without encryption", async () => {
  expect(await refusal("1.1.1.1", "http://10.0.0.1/mcp")).toContain("without encryption");
});
