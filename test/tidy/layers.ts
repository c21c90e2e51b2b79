import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What one package may import. */
export interface Layer {
  readonly name: string;
  readonly may: readonly string[];
  /** Whether it may use `node:` modules. */
  readonly node: boolean;
  readonly npm: readonly string[];
  /** Its folders, the lowest first: imports between them point downwards. `.` are the files beside them; absent: any order. */
  readonly folders?: readonly string[];
  /** Lines that its sources may have; absent: as many as it takes. */
  readonly maxLines?: number;
}

/** By folder. */
export type Layers = Readonly<Record<string, Layer>>;

export function readLayers(root: string): Layers {
  return JSON.parse(readFileSync(join(root, "layers.json"), "utf8"));
}
