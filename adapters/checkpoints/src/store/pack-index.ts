import { createHash } from "node:crypto";

/** Where an object lies in its pack. */
export interface PackedPlace {
  readonly id: string;
  readonly offset: number;
  /** CRC-32 of its bytes in the pack. */
  readonly checksum: number;
}

/**
 * The index of a pack, version 2: objects by id, found by halving.
 * @see https://git-scm.com/docs/gitformat-pack for the layout
 */
export class PackIndex {
  readonly #bytes: Buffer;
  readonly #count: number;
  #offsets: Uint32Array | undefined;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#count = bytes.readUInt32BE(namesAt - 4);
  }

  /** @returns `undefined` for anything that is not a whole index */
  static parse(bytes: Buffer): PackIndex | undefined {
    if (bytes.length < namesAt + 40 || !bytes.subarray(0, 8).equals(magic)) return undefined;
    const index = new PackIndex(bytes);
    return bytes.length === namesAt + index.#count * 28 + 40 ? index : undefined;
  }

  /** Where the object begins in the pack; `undefined`: it is not there. */
  offsetOf(id: string): number | undefined {
    const wanted = Buffer.from(id, "hex");
    const first = wanted[0] ?? 0;
    let low = first === 0 ? 0 : this.#bytes.readUInt32BE(8 + (first - 1) * 4);
    let high = this.#bytes.readUInt32BE(8 + first * 4);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const at = namesAt + middle * 20;
      const order = wanted.compare(this.#bytes, at, at + 20);
      if (order === 0) return this.#bytes.readUInt32BE(namesAt + this.#count * 24 + middle * 4);
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return undefined;
  }

  /** Where the entry that begins at `offset` ends; `undefined`: where the pack's checksum begins. */
  endOf(offset: number): number | undefined {
    this.#offsets ??= this.#sortedOffsets();
    let low = 0;
    let high = this.#offsets.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#offsets[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#offsets[low];
  }

  #sortedOffsets(): Uint32Array {
    const start = namesAt + this.#count * 24;
    return Uint32Array.from({ length: this.#count }, (_, at) => this.#bytes.readUInt32BE(start + at * 4)).toSorted();
  }
}

/** The bytes of an index. Offsets lie below 2 GiB, since packs are far smaller. */
export function encodePackIndex(places: readonly PackedPlace[], packChecksum: Buffer): Buffer {
  const sorted = places.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const bytes = Buffer.alloc(namesAt + sorted.length * 28 + 40);
  magic.copy(bytes);
  const upTo = new Uint32Array(256);
  for (const { id } of sorted) {
    const first = Number.parseInt(id.slice(0, 2), 16);
    upTo[first] = (upTo[first] ?? 0) + 1;
  }
  let count = 0;
  for (const [first, here] of upTo.entries()) {
    count += here;
    bytes.writeUInt32BE(count, 8 + first * 4);
  }
  for (const [at, { id, checksum, offset }] of sorted.entries()) {
    bytes.write(id, namesAt + at * 20, "hex");
    bytes.writeUInt32BE(checksum, namesAt + sorted.length * 20 + at * 4);
    bytes.writeUInt32BE(offset, namesAt + sorted.length * 24 + at * 4);
  }
  packChecksum.copy(bytes, bytes.length - 40);
  createHash("sha1")
    .update(bytes.subarray(0, -20))
    .digest()
    .copy(bytes, bytes.length - 20);
  return bytes;
}

const magic = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
/** Behind the magic bytes and 256 counts. */
const namesAt = 8 + 256 * 4;
