/** What `docs/reference/everyday.md` says of ordinary commands, tried: each outside, and in a session of the real binary. */
import { describe, expect, test } from "vitest";
import { commandsOf } from "../../scripts/reference/everyday/everyday-command.ts";
import { everydays } from "../../scripts/reference/everyday/everydays.ts";
import { usePlace } from "../end-to-end/stage/place.ts";
import { missingPrograms, runInside, runOutside } from "./run-everyday.ts";

const place = usePlace();

describe.each(everydays.map((everyday) => [everyday.name, everyday] as const))("%s", (_, everyday) => {
  const missing = missingPrograms(["bwrap", ...everyday.needs]);
  const lacks = missing.length === 0 ? "" : ` (needs ${missing.join(", ")})`;

  test.skipIf(missing.length > 0)(
    `commands do in the sandbox what they do outside, or the table says why not${lacks}`,
    async () => {
      const outside = await runOutside(place, everyday);
      const inside = await runInside(place, everyday);
      const rows = commandsOf(everyday).map((row, at) => ({
        ...row,
        outside: outside.ran[at],
        inside: inside.ran[at],
      }));
      for (const row of rows.filter(({ differs }) => differs === undefined))
        expect.soft(row.inside, row.command).toEqual(row.outside);
      // A reason must not outlive the difference.
      const different = rows.filter(({ differs }) => differs !== undefined);
      for (const row of different) expect.soft(row.inside, row.command).not.toEqual(row.outside);
      // What does less than outside says so.
      for (const row of different.filter(({ outside: bare, reaches }) => bare?.code === 0 || reaches !== undefined))
        expect.soft(row.inside?.lines.join("\n"), row.command).toMatch(/^\[Sandbox: .+\]$|^Denied: /m);
      for (const row of different.filter(({ reaches }) => reaches !== undefined)) {
        expect.soft(row.inside?.code, row.command).not.toBe(0);
        expect.soft(row.inside?.lines.join("\n"), row.command).toMatch(/no network|refused/);
      }
      const codes = rows.map(({ command, code = 0, reaches }) => [command, reaches === undefined ? code : null]);
      expect(outside.ran.map(({ command, code }) => [command, code])).toEqual(codes);
      expect(inside.left).toEqual(outside.left);
    },
  );
});
