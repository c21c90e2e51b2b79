import { describe, expect, test } from "vitest";
import { patchInCommand } from "../../src/dialects/patch-in-command.ts";

const patch = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch";

describe("a here-document that is handed to apply_patch is the patch", () => {
  test.each([
    [`apply_patch <<'EOF'\n${patch}\nEOF`],
    [`apply_patch <<EOF\n${patch}\nEOF\n`],
    [`applypatch <<-"PATCH"\r\n${patch.replaceAll("\n", "\r\n")}\r\nPATCH  \n\n`],
  ])("%j", (command) => {
    expect(patchInCommand({ command })).toBe(patch);
  });
});

describe("a command that does more stays one", () => {
  test.each([
    [`apply_patch <<'EOF'\n${patch}\nEOF\nrm x`],
    [`apply_patch <<'EOF'\n${patch}\nEOF\n\nrm x`],
    [`apply_patch <<'EOF'\n${patch}\nEOF\n${patch}\nEOF`],
    [`apply_patch <<'EOF'\n${patch}`],
    [`apply_patch <<'EOF' && rm x\n${patch}\nEOF`],
  ])("%j", (command) => {
    expect(patchInCommand({ command })).toBeUndefined();
  });
});
