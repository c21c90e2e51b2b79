import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePlace } from "../support/bench-place.ts";
import { users } from "../support/each-user.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";

const secret = "the-credential-of-the-user";

/** Beside what a toolchain needs. */
const credentials = [
  ".local/share/uv/credentials/token",
  ".dotnet/corefx/cryptography/x509stores/my/key",
  ".nvm/versions/node/v20.0.0/etc/npmrc",
  ".npm-global/etc/npmrc",
  ".conda/token",
  "miniconda3/.condarc",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
];
const needed = [
  ".local/share/uv/python/p",
  ".dotnet/sdk/s",
  ".nvm/versions/node/v20.0.0/bin/b",
  ".npm-global/lib/l",
  ".conda/pkgs/p",
  "miniconda3/bin/python",
  ".cargo/registry/r",
];

describe.skipIf(!hasBubblewrap)("what a program in the sandbox sees (needs bubblewrap)", () => {
  for (const user of users) {
    test(`is the system without secrets, narrow toolchains and the workspace, for ${user.name}`, async () => {
      const place = makePlace();
      for (const path of [...credentials, ...needed]) {
        const file = join(place.home, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, path.includes("/bin/") ? "" : secret);
      }
      const reading = (paths: readonly string[]): string =>
        paths.map((path) => `cat ${place.home}/${path} && echo READ`).join("; ");
      const scripts = [
        "ls -A / /var /var/lib /opt /srv /usr/local/etc 2>/dev/null; ls /var/log || echo NO LOG; touch /made || echo NOT MADE",
        reading(credentials),
        reading(needed),
        "cat /etc/shadow /etc/environment /etc/ssh/*; echo BYTES $(find /etc -xdev -type f ! -perm -o=r -exec cat {} + 2>/dev/null | wc -c)",
        "command -v git node sh && git --version && node -e 'console.log(6*7)' && getent passwd root | cut -c1-5 && echo x > made",
      ];
      const [tree, credential, useful, etc, work] = (await user.run(place, scripts)).map(({ output }) => output);
      expect(tree).toContain("NO LOG");
      expect(tree).toContain("NOT MADE");
      const top = new Set(
        "bin dev etc home lib lib32 lib64 libx32 media mnt nix opt proc root run sbin sys tmp usr var".split(" "),
      );
      expect(
        (tree ?? "")
          .split("\n\n")[0]
          ?.split("\n")
          .slice(1)
          .filter((name) => !top.has(name)),
      ).toEqual([]);
      expect(credential).not.toMatch(new RegExp(`${secret}|READ`));
      expect(useful?.match(/READ/g)?.length).toBe(needed.length);
      expect(etc).not.toContain("root:");
      expect(etc).toContain("BYTES 0\n");
      expect(work).toContain("42\nroot:\n");
      expect(readdirSync(place.workspace)).toEqual(["made"]);
      // The control: outside all of it is read.
      expect(user.runBare(place, reading(credentials)).match(/READ/g)?.length).toBe(credentials.length);
      expect(user.runBare(place, "ls -d /var/log")).toBe("/var/log\n");
    });
  }

  test("is more where the user's configuration says so", async () => {
    const place = makePlace({ readable: [".m2/settings.xml", "/var/log"] });
    mkdirSync(join(place.home, ".m2"));
    writeFileSync(join(place.home, ".m2", "settings.xml"), secret);
    const [own] = users;
    const [ended] = (await own?.run(place, [`cat ${place.home}/.m2/settings.xml; ls -d /var/log`])) ?? [];
    expect(ended?.output).toBe(`${secret}/var/log\n`);
  });
});
