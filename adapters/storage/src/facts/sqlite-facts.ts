import type { FactStore, Passage, PassagePlace } from "@capstan/ports";
import type { Fact, FactQuery, SessionId } from "@capstan/protocol";
import type { Connection } from "../sqlite/connection.ts";
import { type StorageActivity, toStorageError } from "../storage-error.ts";
import { passageTables } from "./facts-schema.ts";
import { answersOf, wordQueries } from "./word-queries.ts";

interface FactRow {
  readonly body: string;
}

/** Facts in a SQLite file of their own: journals stay whole whatever happens to it. */
export class SqliteFacts implements FactStore {
  readonly #path: string;
  readonly #connection: Connection;

  constructor(path: string, connection: Connection) {
    this.#path = path;
    this.#connection = connection;
  }

  async add(facts: readonly Fact[], read?: { readonly sessionId: SessionId; readonly through: number }): Promise<void> {
    this.#write(() => {
      for (const fact of facts) this.#put(fact);
      if (read !== undefined) this.#setThrough("facts_read", read.sessionId, read.through);
    });
    return await Promise.resolve();
  }

  async find(query: FactQuery & { readonly sessionId?: SessionId }): Promise<readonly Fact[]> {
    const { words, limit } = query;
    const ask = (match: string | null): readonly FactRow[] => this.#read(() => this.#factRows(query, match));
    const rows =
      words === undefined ? ask(null) : answersOf(wordQueries(words), ask, { keyOf: ({ body }) => body, limit });
    return await Promise.resolve(rows.map(toFact));
  }

  async withId(prefix: string, limit: number): Promise<readonly Fact[]> {
    const rows = this.#read(() =>
      this.#connection.all<FactRow>(
        "SELECT body FROM facts WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2",
        prefix,
        limit,
      ),
    );
    return await Promise.resolve(rows.map(toFact));
  }

  async remove(id: string): Promise<boolean> {
    return await Promise.resolve(this.#write(() => this.#drop("id = ?1", id) > 0));
  }

  async readThrough(sessionId: SessionId): Promise<number> {
    return await Promise.resolve(this.#through("facts_read", sessionId));
  }

  async passagesThrough(sessionId: SessionId): Promise<number> {
    return await Promise.resolve(this.#through("passages_read", sessionId));
  }

  async addPassages(sessionId: SessionId, passages: readonly Passage[], through: number): Promise<void> {
    this.#write(() => {
      for (const { seq, part, text } of passages) {
        this.#connection.run("INSERT INTO passages (session, seq, part) VALUES (?, ?, ?)", sessionId, seq, part);
        this.#connection.run("INSERT INTO passage_words (rowid, text) VALUES (last_insert_rowid(), ?)", text);
      }
      this.#setThrough("passages_read", sessionId, through);
    });
    return await Promise.resolve();
  }

  async findPassages(sessionId: SessionId, words: string, limit: number): Promise<readonly PassagePlace[]> {
    const sql =
      "SELECT p.seq, p.part FROM passage_words w JOIN passages p ON p.id = w.rowid WHERE passage_words MATCH ?1 AND p.session = ?2 ORDER BY bm25(passage_words), p.id DESC LIMIT ?3";
    const ask = (match: string): readonly PassagePlace[] =>
      this.#read(() => this.#connection.all<PassagePlace>(sql, match, sessionId, limit));
    const rows = answersOf(wordQueries(words), ask, { keyOf: ({ seq, part }) => `${seq}.${part}`, limit });
    return await Promise.resolve(rows);
  }

  async forgetSession(sessionId: SessionId): Promise<void> {
    this.#write(() => {
      const kept = this.#connection.all<FactRow>("SELECT body FROM facts WHERE session = ?", sessionId).map(toFact);
      this.#drop("session = ?1", sessionId);
      for (const fact of kept) if (isKept(fact)) this.#put({ ...fact, source: null });
      this.#connection.run("DELETE FROM facts_read WHERE session = ?", sessionId);
      if (this.#connection.run("DELETE FROM passages_read WHERE session = ?", sessionId) === 0) return;
      // The words of one session cannot be taken out of an index without their text: it is made again when it is next asked.
      this.#connection.database.exec("DROP TABLE passages; DROP TABLE passage_words; DROP TABLE passages_read;");
      this.#connection.database.exec(passageTables);
    });
    this.#connection.emptyLog();
    return await Promise.resolve();
  }

  async close(): Promise<void> {
    this.#connection.close();
    return await Promise.resolve();
  }

  /** @param match  a full-text query; `null`: all, the newest first */
  #factRows(query: Parameters<FactStore["find"]>[0], match: string | null): readonly FactRow[] {
    const { cwd = null, sessionId = null, since = null, until = null, limit } = query;
    const from = match === null ? "facts f" : "fact_words w JOIN facts f ON f.row = w.rowid";
    const order = match === null ? "f.at DESC, f.row DESC" : "bm25(fact_words), f.at DESC";
    const where = [
      "(?1 IS NULL OR f.cwd = ?1 OR f.scope = 'user')",
      "(f.scope <> 'session' OR f.session = ?2)",
      "(?3 IS NULL OR f.at >= ?3) AND (?4 IS NULL OR f.at < ?4)",
      match === null ? "?6 IS NULL" : "fact_words MATCH ?6",
    ].join(" AND ");
    const sql = `SELECT f.body FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ?5`;
    return this.#connection.all<FactRow>(sql, cwd, sessionId, since, until, limit, match);
  }

  #put(fact: Fact): void {
    this.#drop("id = ?1", fact.id);
    const { id, scope, cwd, source, at, text, entities } = fact;
    this.#connection.run(
      "INSERT INTO facts (id, scope, cwd, session, at, body) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      scope,
      cwd,
      source?.sessionId ?? null,
      at,
      JSON.stringify(fact),
    );
    const insert = "INSERT INTO fact_words (rowid, text, entities) VALUES (last_insert_rowid(), ?, ?)";
    this.#connection.run(insert, text, entities.join(" "));
  }

  /** @returns how many facts there were */
  #drop(where: "id = ?1" | "session = ?1", value: string): number {
    this.#connection.run(`DELETE FROM fact_words WHERE rowid IN (SELECT row FROM facts WHERE ${where})`, value);
    return this.#connection.run(`DELETE FROM facts WHERE ${where}`, value);
  }

  #through(table: "facts_read" | "passages_read", sessionId: SessionId): number {
    const rows = this.#read(() =>
      this.#connection.all<{ readonly through: number }>(`SELECT through FROM ${table} WHERE session = ?`, sessionId),
    );
    return rows[0]?.through ?? 0;
  }

  #setThrough(table: "facts_read" | "passages_read", sessionId: SessionId, through: number): void {
    const upsert = `INSERT INTO ${table} (session, through) VALUES (?1, ?2) ON CONFLICT (session) DO UPDATE SET through = ?2`;
    this.#connection.run(upsert, sessionId, through);
  }

  #read<Result>(work: () => Result): Result {
    return this.#named("read", work);
  }

  #write<Result>(work: () => Result): Result {
    return this.#named("write", () => this.#connection.write("committed", work));
  }

  #named<Result>(activity: StorageActivity, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw toStorageError(error, this.#path, activity);
    }
  }
}

/** Somebody asked that it be remembered beyond its session. */
function isKept({ kind, scope }: Fact): boolean {
  return kind === "pinned" && scope !== "session";
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this file only
const toFact = ({ body }: FactRow): Fact => JSON.parse(body) as Fact;
