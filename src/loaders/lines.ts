import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../entities/database.js';

const idLength = 36;

/** Reads a text of lines that begin with an id: the rest of each line by its id. */
export function splitLines(text: string | null): Map<string, string> {
  const lines = text === null ? [] : text.split('\n');
  return new Map(lines.map((line) => [line.slice(0, idLength), line.slice(idLength)]));
}

/** Runs a statement that returns such a text. */
export async function readLines(db: Db, lines: RawBuilder<string | null>): Promise<Map<string, string>> {
  const { rows } = await sql<{ lines: string | null }>`select ${lines} as lines`.execute(db);
  return splitLines(rows[0]?.lines ?? null);
}
