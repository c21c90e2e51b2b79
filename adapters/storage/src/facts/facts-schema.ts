/** Version of the file, in its `user_version`. */
export const factsVersion = 1;

/** Words are compared without case and accents. */
const words = 'tokenize = "unicode61 remove_diacritics 2"';

/** The passages' words without their text, which stands in the journal. */
export const passageTables: string = `
CREATE TABLE passages (
  id INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  seq INTEGER NOT NULL,
  part INTEGER NOT NULL
) STRICT;
CREATE INDEX passages_session ON passages (session);
CREATE VIRTUAL TABLE passage_words USING fts5 (text, content = '', ${words});
CREATE TABLE passages_read (session TEXT PRIMARY KEY, through INTEGER NOT NULL) STRICT;
`;

export const factsSchema: string = `
CREATE TABLE facts (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL,
  cwd TEXT,
  session TEXT,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX facts_cwd ON facts (cwd);
CREATE INDEX facts_session ON facts (session);
CREATE VIRTUAL TABLE fact_words USING fts5 (text, entities, ${words});
INSERT INTO fact_words (fact_words, rank) VALUES ('secure-delete', 1);
CREATE TABLE facts_read (session TEXT PRIMARY KEY, through INTEGER NOT NULL) STRICT;
${passageTables}
PRAGMA user_version = ${factsVersion};
`;
