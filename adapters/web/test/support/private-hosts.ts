/** Addresses of no public machine, in forms that programs read. */
export const privateHosts: readonly string[] = [
  "127.0.0.1 127.1 0x7f.1 0177.0.0.1 2130706433 0x7f000001 127.0.0.1. 127.255.255.254 0 0.0.0.0 localhost localhost. LOCALHOST a.localhost",
  "[::] [::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [2002:7f00:1::] [2001:0:4136:e378::1]",
  "10.0.0.1 172.16.5.4 192.168.1.1 100.64.0.1 169.254.169.254 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1",
  "255.255.255.255 [fc00::1] [fd12::1] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [3fff::1] [100::1] metadata.google.internal printer.local",
].flatMap((line) => line.split(" "));

/** What names lead to, when they lead inside. */
export const insiders: readonly string[] = [
  "127.0.0.1",
  "::1",
  "10.1.2.3",
  "169.254.169.254",
  "::ffff:10.0.0.1",
  "fd00::1",
  "64:ff9b::a00:1",
];
