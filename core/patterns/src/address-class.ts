/**
 * Whether an address belongs to the public internet: neither this machine, nor a private or special network, nor a form that carries
 * such an address inside. Compared as bytes, so that no spelling makes a difference. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const four = bytesOfV4(address);
  if (four !== undefined) return isPublicV4(four);
  const bytes = bytesOfV6(address);
  return (
    bytes !== undefined &&
    startsWith(bytes, [0x20], 3) &&
    !specialV6.some(([prefix, bits]) => startsWith(bytes, prefix, bits))
  );
}

/** 127.0.0.0/8 and ::1. */
export function isLoopbackAddress(address: string): boolean {
  const four = bytesOfV4(address);
  if (four !== undefined) return four[0] === 127;
  const bytes = bytesOfV6(address);
  return bytes !== undefined && bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

/** The networks that people number for themselves: RFC 1918 and RFC 4193. Neither this machine nor its neighbours on the cable. */
export function isPrivateAddress(address: string): boolean {
  const four = bytesOfV4(address);
  if (four !== undefined) return privateV4.some(([prefix, bits]) => startsWith(four, prefix, bits));
  const bytes = bytesOfV6(address);
  return bytes !== undefined && startsWith(bytes, [0xfc], 7);
}

const privateV4: readonly Network[] = [
  [[10], 8],
  [[172, 16], 12],
  [[192, 168], 16],
];

type Network = readonly [prefix: readonly number[], bits: number];

/** RFC 6890 and its followers. */
const specialV4: readonly Network[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 88, 99], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 3],
];

/** Inside 2000::/3: protocols and Teredo, documentation, 6to4. Everything outside of it is special anyway. */
const specialV6: readonly Network[] = [
  [[0x20, 0x01, 0x00], 23],
  [[0x20, 0x01, 0x0d, 0xb8], 32],
  [[0x20, 0x02], 16],
  [[0x3f, 0xff], 20],
];

function isPublicV4(bytes: readonly number[]): boolean {
  return !specialV4.some(([prefix, bits]) => startsWith(bytes, prefix, bits));
}

function startsWith(bytes: readonly number[], prefix: readonly number[], bits: number): boolean {
  for (let index = 0; index * 8 < bits; index += 1) {
    const mask = (0xff << Math.max(0, (index + 1) * 8 - bits)) & 0xff;
    if (((bytes[index] ?? 0) & mask) !== ((prefix[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** Four numbers as everybody writes them; any other spelling is no address. */
function bytesOfV4(address: string): readonly number[] | undefined {
  const parts = address.split(".");
  const isPlain = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isPlain ? parts.map(Number) : undefined;
}

function bytesOfV6(address: string): readonly number[] | undefined {
  const [plain = ""] = address.split("%");
  const [head = "", tail, ...more] = plain.split("::");
  const before = wordsOf(head);
  const after = tail === undefined ? [] : wordsOf(tail);
  if (before === undefined || after === undefined || more.length > 0) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const words = [...before, ...Array.from({ length: missing }, () => 0), ...after];
  return words.flatMap((word) => [word >>> 8, word & 0xff]);
}

/** @returns `undefined` for what is no part of such an address; only its end may be written as IPv4 */
function wordsOf(text: string): readonly number[] | undefined {
  if (text === "") return [];
  const words: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    const four = index === parts.length - 1 ? bytesOfV4(part) : undefined;
    if (four !== undefined) {
      const [a = 0, b = 0, c = 0, d = 0] = four;
      words.push((a << 8) | b, (c << 8) | d);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) words.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return words;
}
