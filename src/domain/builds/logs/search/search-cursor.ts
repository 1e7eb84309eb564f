import { z } from 'zod';

/** Where the search of many logs goes on. */
export interface SearchCursor {
  /** Id of the job whose log is next; jobs are looked through from the newest to the oldest. */
  jobId: string;
  /** False: the log of this job is done. */
  isWithin: boolean;
  /** A place in the log, with the lines that end before it. */
  offset: number;
  line: number;
  /** Lines up to this one, counted from the beginning of the log, were in the replies before. */
  lastGiven: number;
}

const fields = z.tuple([z.uuid(), z.boolean(), z.int().min(0), z.int().min(0), z.int().min(-1)]);

/** Longest text of a cursor. */
export const searchCursorLength = 200;

export function encodeSearchCursor({ jobId, isWithin, offset, line, lastGiven }: SearchCursor): string {
  return Buffer.from(JSON.stringify([jobId, isWithin, offset, line, lastGiven])).toString('base64url');
}

/** Reads a cursor; null for a text that is none. */
export function decodeSearchCursor(text: string): SearchCursor | null {
  try {
    const [jobId, isWithin, offset, line, lastGiven] = fields.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    return { jobId, isWithin, offset, line, lastGiven };
  } catch {
    return null;
  }
}
