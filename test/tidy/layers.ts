import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What one package may import. */
export interface Layer {
  readonly name: string;
  readonly may: readonly string[];
  /** Whether it may use `node:` modules. */
  readonly node: boolean;
  readonly npm: readonly string[];
}

/** By folder. */
export type Layers = Readonly<Record<string, Layer>>;

export function readLayers(root: string): Layers {
  return JSON.parse(readFileSync(join(root, "layers.json"), "utf8"));
}
