/** `npm run structure`: what it says is what the imports say. */
import { expect, test } from "vitest";
import { structureText } from "../../scripts/structure/structure-text.ts";
import type { Layer } from "./layers.ts";

const protocol: Layer = { name: "@capstan/protocol", may: [], node: false, npm: [] };
const engine: Layer = { name: "@capstan/engine", may: ["@capstan/protocol"], node: false, npm: [], maxLines: 4300 };

test("sizes, the widest files and the arrows between folders are printed, the most first", () => {
  const text = structureText([
    { folder: "core/protocol", layer: protocol, files: [{ path: "core/protocol/src/index.ts", text: "\n" }] },
    {
      folder: "core/engine",
      layer: engine,
      files: [
        { path: "core/engine/src/index.ts", text: 'export { decide } from "./operation/decide.ts";\n' },
        { path: "core/engine/src/limits.ts", text: "export const max = 1;\n" },
        { path: "core/engine/src/model/state.ts", text: 'import type { TurnId } from "@capstan/protocol";\n' },
        {
          path: "core/engine/src/operation/decide.ts",
          text: 'import { max } from "../limits.ts";\nimport type { State } from "../model/state.ts";\nimport { from } from "./from.ts";\n',
        },
        { path: "core/engine/src/operation/from.ts", text: 'import type { State } from "../model/state.ts";\n' },
      ],
    },
  ]);
  expect(text).toBe(`Packages (files, lines, and packages imported)
  core/protocol: 1 files, 1 lines
  core/engine: 5 files, 7 of 4300 lines → core/protocol

Files that import most others of their package (but for the index)
  3  core/engine/src/operation/decide.ts
  1  core/engine/src/operation/from.ts

Files that most others of their package import
  2  core/engine/src/model/state.ts
  1  core/engine/src/limits.ts
  1  core/engine/src/operation/decide.ts
  1  core/engine/src/operation/from.ts

Arrows between folders (imports)
  core/engine
    operation → model (2)
    operation → . (1)
`);
});
