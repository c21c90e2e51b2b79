import { isWithin } from "@capstan/patterns";
import type { SandboxOptions } from "../options.ts";
import { realPathOf } from "./real-path.ts";

/** Where the user's files would be. A home that is the root of everything cannot be emptied. */
export function homeInside({ home }: SandboxOptions): string {
  const real = realPathOf(home);
  return real === undefined || real === "/" || isWithin(real, "/tmp") ? "/tmp/home" : real;
}
