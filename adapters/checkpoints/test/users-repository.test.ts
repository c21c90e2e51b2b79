import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reversed, Workshop } from "./workshop.ts";

describe("the user's repository", () => {
  test("is neither changed nor read: status, staged changes, index, refs and configuration stay as they are", async () => {
    const shop = new Workshop();
    shop.userGit("init", "-q");
    shop.write("a", "1\n");
    shop.write("b", "1\n");
    shop.userGit("add", "a", "b");
    shop.userGit("commit", "-qm", "first");
    shop.write("a", "2\n");
    shop.userGit("add", "a");
    shop.write("b", "3\n");
    const look = (): readonly string[] => [
      shop.userGit("diff", "--cached"),
      shop.userGit("for-each-ref"),
      shop.userGit("--no-optional-locks", "status", "--porcelain"),
    ];
    const said = look();
    const repository = shop.files(shop.path(".git"));
    const changed = statSync(shop.path(".git/index"), { bigint: true });
    const checkpoint = await shop.keep();
    shop.write("c", "x");
    shop.write("b", "4\n");
    const effects = await shop.since(checkpoint);
    await shop.checkpoints.describe(shop.workspace, effects, shop.signal);
    expect(await shop.apply(reversed(effects))).toEqual(["done", "done"]);
    expect(shop.files(shop.path(".git"))).toEqual(repository);
    expect(statSync(shop.path(".git/index"), { bigint: true }).mtimeNs).toBe(changed.mtimeNs);
    expect(look()).toEqual(said);
    expect(effects.map(({ path }) => path)).toEqual([shop.path("b"), shop.path("c")]);
  });

  test("runs nothing: no hook, filter, monitor or helper of a hostile repository", async () => {
    const shop = new Workshop();
    const marker = join(shop.base, "marker");
    shop.userGit("init", "-q");
    const command = `touch ${marker}`;
    for (const key of [
      "core.fsmonitor",
      "filter.x.clean",
      "filter.x.smudge",
      "filter.x.process",
      "diff.x.textconv",
      "core.sshCommand",
      "credential.helper",
    ]) {
      shop.userGit("config", key, command);
    }
    shop.userGit("config", "core.autocrlf", "true");
    for (const hook of ["post-index-change", "post-checkout", "pre-commit", "reference-transaction"]) {
      shop.write(`.git/hooks/${hook}`, `#!/bin/sh\n${command}\n`, 0o755);
    }
    const attributes = "* filter=x diff=x ident eol=crlf text working-tree-encoding=UTF-16LE\n";
    shop.write(".gitattributes", attributes);
    shop.write(".git/info/attributes", attributes);
    const content = Buffer.from("$Id$ a\r\nb\nc\r\0\xff", "latin1");
    shop.write("file", content);
    const checkpoint = await shop.keep();
    shop.write("file", "other");
    const effects = await shop.since(checkpoint);
    await shop.checkpoints.describe(shop.workspace, effects, shop.signal);
    expect(await shop.apply(reversed(effects))).toEqual(["done"]);
    expect(readFileSync(shop.path("file"))).toEqual(content);
    expect(statSync(marker, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("nested ones, worktrees and submodules are kept as files, without what is Git's own", async () => {
    const shop = new Workshop();
    shop.write(".gitignore", "*.log\n");
    shop.write("nested/.git/HEAD", "ref: refs/heads/main\n");
    shop.write("nested/.git/config", "x");
    shop.write("nested/a", "1");
    shop.write("nested/b.log", "a nested repository has rules of its own");
    shop.write("worktree/.git", "gitdir: /elsewhere\n");
    shop.write("worktree/a", "1");
    shop.write("c.log", "ignored");
    const checkpoint = await shop.keep();
    for (const name of ["nested/a", "nested/b.log", "worktree/a", "nested/.git/config", "worktree/.git", "c.log"]) {
      shop.write(name, "2");
    }
    const effects = await shop.since(checkpoint);
    expect(effects.map(({ path }) => path)).toEqual(
      ["nested/a", "nested/b.log", "worktree/a"].map((name) => shop.path(name)),
    );
    const named = await shop.keep(["nested/.git/config"]);
    expect(named.left).toEqual([`"${shop.path("nested/.git/config")}": belongs to a Git repository`]);
    const [effect] = effects;
    if (effect === undefined) throw new Error("no effect");
    expect(await shop.apply([{ ...effect, path: shop.path("nested/.git/config") }])).toEqual([
      "belongs to a Git repository",
    ]);
  });
});
