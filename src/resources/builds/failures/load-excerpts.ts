import { callerOf } from '../../../auth/caller.js';
import type { Context } from '../../../request/context.js';
import type { Excerpt } from '../../../domain/builds/failures/failure-excerpts.js';
import { TaskTooDear } from '../../../workers/pool.js';
import { LogCache } from '../logs/log-cache.js';
import { indexLog } from '../logs/log-lines.js';
import { logRangeText, logTextBytes } from '../logs/log-text.js';
import type { ReadableLog } from '../logs/readable-log.js';

/** Most characters of excerpts that a process keeps. */
const keptCharacters = 8 * 1024 * 1024;

const cache = new LogCache<Excerpt[]>(keptCharacters, (excerpts) =>
  excerpts.reduce((sum, { text }) => sum + text.length, 1),
);

/**
 * The parts of a log that tell why its job failed, lines counted from 1; of a long log its last mebibyte is looked
 * through. None where that takes too long.
 */
export async function loadExcerpts(context: Context, log: ReadableLog): Promise<Excerpt[]> {
  const entry = cache.entry(log);
  if (entry.value) return entry.value;
  const excerpts = await excerptsOf(context, { ...log, store: entry.store });
  entry.save(excerpts);
  return excerpts;
}

async function excerptsOf(context: Context, log: ReadableLog): Promise<Excerpt[]> {
  const { signal } = context.request;
  const { start, line } = await beginning(log, signal);
  const text = await logRangeText(log, { start, end: log.size }, signal);
  try {
    const { command } = log.job;
    const { excerpts } = await context.services.workers.run('log.excerpt', callerOf(context.actor), { text, command });
    return excerpts.map((excerpt) => ({
      ...excerpt,
      firstLine: excerpt.firstLine + line + 1,
      lastLine: excerpt.lastLine + line + 1,
    }));
  } catch (error) {
    if (error instanceof TaskTooDear) return [];
    throw error;
  }
}

/**
 * Where the part of a log begins that is looked through: at a line whose number is known, at most a mebibyte before the
 * end.
 */
async function beginning(log: ReadableLog, signal?: AbortSignal): Promise<{ start: number; line: number }> {
  if (log.size <= logTextBytes) return { start: 0, line: 0 };
  const { offsets, stride } = await indexLog(log, signal);
  const index = offsets.findIndex((offset) => offset >= log.size - logTextBytes);
  // One line may be longer than what is read: its end, of which nobody knows the number.
  return index < 0
    ? { start: log.size - logTextBytes, line: (offsets.length - 1) * stride }
    : { start: offsets[index] ?? 0, line: index * stride };
}
