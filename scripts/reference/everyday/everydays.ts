import { everydayC } from "./c.ts";
import type { Everyday } from "./everyday-command.ts";
import { everydayGit } from "./git.ts";
import { everydayGo } from "./go.ts";
import { everydayNode } from "./node.ts";
import { everydayPhp } from "./php.ts";
import { everydayPython } from "./python.ts";
import { everydayRuby } from "./ruby.ts";
import { everydayRust } from "./rust.ts";
import { everydayShell } from "./shell.ts";

/** What is tried, and what `docs/reference/everyday.md` says of it. */
export const everydays: readonly Everyday[] = [
  everydayShell,
  everydayGit,
  everydayNode,
  everydayPython,
  everydayC,
  everydayGo,
  everydayRust,
  everydayRuby,
  everydayPhp,
];
