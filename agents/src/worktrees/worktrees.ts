import { existsSync, mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { messageOf, type SessionId, type Workspace } from "@capstan/protocol";
import { refusal } from "../follow-work.ts";
import { type ChangeSet, conflictsOf } from "./change-set.ts";
import { type GitWork, gitText, runGit } from "./run-git.ts";
import { readWorktreeNote, removeWorktreeNote, type WorktreeNote, writeWorktreeNote } from "./worktree-note.ts";

export interface WorktreePlaces {
  /** Absolute; it holds them and their notes. Outside of every workspace, and none of Capstan's own files. */
  readonly folder: string;
  /** Where `git` is looked for. */
  readonly searchPath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Git runs only where the user trusts the folder: a repository could say what it is to run. */
  readonly isTrusted: boolean;
}

const branchDigits = 12;
/** Who commits what an agent leaves: the user's name is the user's. */
const author = [
  "-c",
  "user.name=Capstan agent",
  "-c",
  "user.email=agent@capstan.invalid",
  "-c",
  "commit.gpgsign=false",
];

/** Working trees of git that agents have for themselves, one each. */
export class Worktrees {
  readonly #places: WorktreePlaces;
  /** One at a time: git locks what all working trees share. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(places: WorktreePlaces) {
    this.#places = places;
  }

  /** The working tree of an agent's session, made at its caller's last commit unless it is there. @throws ToolRefusal */
  async open(id: SessionId, caller: { readonly id: SessionId; readonly workspace: Workspace }): Promise<Workspace> {
    return await this.#inTurn(async () => {
      const { folder, isTrusted } = this.#places;
      if (!isTrusted)
        throw refusal("A working tree of its own needs a folder that the user trusts (capstan trust add).");
      const note = readWorktreeNote(folder, id) ?? (await this.#noteOf(id, caller));
      if (!existsSync(note.cwd)) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeWorktreeNote(folder, note);
        const args = ["worktree", "add", "--quiet", "--force", "-B", note.branch, join(folder, id), note.base];
        await this.#git(args, note.repository);
      }
      return { cwd: note.cwd, roots: [note.cwd] };
    });
  }

  /** What an agent that has ended changed, on its branch; `null`: nothing, and its working tree is gone. `undefined`: it has none. */
  async changes(id: SessionId, title: string): Promise<ChangeSet | null | undefined> {
    return await this.#inTurn(async () => {
      const { folder } = this.#places;
      const note = readWorktreeNote(folder, id);
      const tree = join(folder, id);
      if (note === undefined || !existsSync(tree)) return undefined;
      const inTree = this.#work(tree);
      await gitText(["add", "--all"], inTree);
      const staged = await runGit(["diff", "--cached", "--quiet"], inTree);
      if (staged.code !== 0) await gitText([...author, "commit", "--quiet", "--no-verify", "-m", title], inTree);
      const files = await gitText(["diff", "--name-only", note.base, "HEAD"], inTree);
      if (files === "") {
        await this.#remove(note, tree);
        return null;
      }
      const stat = await gitText(["diff", "--stat=100", note.base, "HEAD"], inTree);
      const changed = files.split("\n");
      const { branch, base } = note;
      const conflicts = await conflictsOf(note, changed, { folder, work: (cwd) => this.#work(cwd) });
      return { branch, base, folder: tree, files: changed, stat, conflicts };
    });
  }

  async #noteOf(
    id: SessionId,
    { id: caller, workspace: { cwd } }: { readonly id: SessionId; readonly workspace: Workspace },
  ): Promise<WorktreeNote> {
    const { folder } = this.#places;
    const repository = await this.#git(["rev-parse", "--show-toplevel"], cwd);
    const base = await this.#git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], cwd);
    const own = join(folder, id, relative(repository, cwd));
    return { id, caller, callerCwd: cwd, repository, base, branch: `capstan/${id.slice(0, branchDigits)}`, cwd: own };
  }

  async #remove({ id, branch, repository }: WorktreeNote, tree: string): Promise<void> {
    const work = this.#work(repository);
    await gitText(["worktree", "remove", "--force", tree], work);
    await runGit(["branch", "--quiet", "-D", branch], work);
    removeWorktreeNote(this.#places.folder, id);
  }

  /** @throws ToolRefusal what keeps it from having a working tree */
  async #git(args: readonly string[], cwd: string): Promise<string> {
    try {
      return await gitText(args, this.#work(cwd));
    } catch (error) {
      const why = "A working tree of its own needs a git repository with a commit";
      throw refusal(`${why}: ${messageOf(error)}. Leave isolation out, or make one.`);
    }
  }

  #work(cwd: string): GitWork {
    const { searchPath, environment } = this.#places;
    return { cwd, searchPath, environment };
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const before = this.#turn;
    const own = before.then(work, work);
    this.#turn = own.catch(() => undefined);
    return await own;
  }
}
