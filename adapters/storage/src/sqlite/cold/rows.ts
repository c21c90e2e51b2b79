import type { SessionId } from "@capstan/protocol";
import type { Connection } from "../connection.ts";
import type { JournalRow } from "../journal-rows.ts";
import { decodeBlock } from "./block.ts";

/** Compressed records after a number, oldest first, at most `limit` (-1: all). Only the blocks that are needed are opened. */
export function coldAfter(
  connection: Connection,
  sessionId: SessionId,
  after: number,
  limit: number,
): readonly JournalRow[] {
  const rows: JournalRow[] = [];
  const most = limit < 0 ? Infinity : limit;
  for (let end = after; rows.length < most;) {
    const [block] = connection.all<StoredBlock>(selectAfter, sessionId, end);
    if (block === undefined) break;
    for (const row of rowsIn(block)) if (row.seq > after) rows.push(row);
    end = block.seq;
  }
  return rows;
}

/** Compressed records below a number, newest first, about `limit` of them. */
export function coldBefore(
  connection: Connection,
  sessionId: SessionId,
  before: number,
  limit: number,
): readonly JournalRow[] {
  const rows: JournalRow[] = [];
  for (let start = before; rows.length < limit;) {
    const [block] = connection.all<StoredBlock>(selectBefore, sessionId, start);
    if (block === undefined) break;
    rows.push(
      ...rowsIn(block)
        .filter(({ seq }) => seq < before)
        .toReversed(),
    );
    start = block.firstSeq;
  }
  return rows;
}

/** One in place of all of a damaged block: it cannot be understood, as a damaged record cannot. */
function rowsIn({ seq, body }: StoredBlock): readonly JournalRow[] {
  return decodeBlock(body) ?? [{ seq, at: 0, isRun: 0, hash: null, body: "", bytes: 0 }];
}

interface StoredBlock {
  readonly firstSeq: number;
  readonly seq: number;
  readonly body: Uint8Array;
}

const columns = "SELECT first_seq AS firstSeq, seq, body FROM cold_records WHERE session_id = ?";
const selectAfter = `${columns} AND seq > ? ORDER BY seq LIMIT 1`;
const selectBefore = `${columns} AND first_seq < ? ORDER BY seq DESC LIMIT 1`;
