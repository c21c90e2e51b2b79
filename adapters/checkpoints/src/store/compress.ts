import { promisify } from "node:util";
import { constants, deflate, deflateSync } from "node:zlib";
import { promptCompressBytes } from "../limits.ts";

/** zlib data, as Git stores it. The fastest level: content is written once and rarely read. */
export async function compress(content: Buffer): Promise<Buffer> {
  if (content.length <= promptCompressBytes) return deflateSync(content, settings);
  return await promisify<Buffer, typeof settings, Buffer>(deflate)(content, settings);
}

const settings = { level: constants.Z_BEST_SPEED };
