import { isIP } from "node:net";
import { expect, test } from "vitest";
import { isPublicAddress } from "../src/address-class.ts";

function check(addresses: readonly string[], expected: boolean): void {
  expect(addresses.filter((address) => isPublicAddress(address) !== expected)).toEqual([]);
}

test("addresses of this machine and of special networks are not public, however they are written", () => {
  check(
    [
      "0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255",
      "192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1",
      "240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1",
      "64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:db8::1 2002:7f00:1::",
      "3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1 example.org 1.2.3 12345::",
    ].flatMap((line) => line.split(" ")),
    false,
  );
});

test("ordinary addresses are public", () => {
  check(
    "1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.0.1.1 198.20.0.1 223.255.255.255".split(" "),
    true,
  );
  check("2600::1 2606:4700:4700::1111 2a00:1450:4001:80b::200e 2001:4860:4860::8888".split(" "), true);
});

test("an address is one in exactly the spellings that Node knows", () => {
  const written = [
    "1.1.1.1 01.1.1.1 1.1.1 256.1.1.1 1.1.1.1. 0x1.1.1.1 1.1.1.1.1 1..1.1",
    "2600:: 2600::1:: 2600:1 2600:1:2:3:4:5:6:7 2600:1:2:3:4:5:6:7:8 2600::1.2.3.4 2600::1.2.3.4:5 2600:1:2:3:4:5:6::",
    "2600:12345::1 2600::g 2600:::1 :2600::1 2600::1% 2600:1:2:3:4:5:1.2.3.4 2600:1:2:3:4:5:6:1.2.3.4",
  ].flatMap((line) => line.split(" "));
  expect(written.filter((address) => isPublicAddress(address) !== (isIP(address.replace(/%$/, "")) !== 0))).toEqual([]);
});
