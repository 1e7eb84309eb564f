import { z } from 'zod';
import type { LogIndex } from '../../domain/builds/logs/log-index.js';
import { EscapeStripper, lastStateOf } from '../../domain/builds/logs/plain-text.js';
import { compileLogPattern } from '../../domain/builds/logs/search/log-pattern.js';
import { logSearchPlaces } from '../../domain/builds/logs/search/search-places.js';
import { mostOfFoundLine } from '../../domain/builds/logs/search/search-lines.js';
import { Problem } from '../../domain/problem.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { perform } from '../../core/operation.js';
import { readJobLog } from '../../operations/builds/logs/read.js';
import { indexLog } from '../../resources/builds/logs/log-lines.js';
import { logRangeText, logTextBytes } from '../../resources/builds/logs/log-text.js';
import type { ReadableLog } from '../../resources/builds/logs/readable-log.js';
import { startOfLog } from '../../resources/builds/logs/search/log-parts.js';
import { searchLog } from '../../resources/builds/logs/search/search-log.js';
import { job, jobAddressOf, organization, routeTool, scopesOf, type Tool, type ToolCall } from '../tool.js';

const logTool = {
  toolset: 'logs',
  isReadOnly: true,
  isDestructive: false,
  isIdempotent: true,
  scopes: () => scopesOf(readJobLog),
} as const;

const ofJob = {
  ...organization,
  pipeline_slug: job.pipeline_slug.optional(),
  build_number: job.build_number.optional(),
  job_id: job.job_id,
  cache_ttl: z.string().optional().describe('Taken and not needed: every reply is as the log is now'),
  force_refresh: z.boolean().optional().describe('Taken and not needed'),
};

const mostLines = 500;

/** A line as replies show it: its number in the log, from 1, and its text. */
interface Line {
  rn: number;
  c: string;
}

const openLog = (context: ReturnType<ToolCall['context']>, args: Record<string, unknown>): Promise<ReadableLog> =>
  perform(readJobLog, context, { job: jobAddressOf(args) });

/** A log with the places of its lines, and their number. */
interface IndexedLog {
  log: ReadableLog;
  index: LogIndex;
  total: number;
}

/** Indexes a log, once for a call: that of a running job is read whole. */
async function indexed(log: ReadableLog, signal: AbortSignal): Promise<IndexedLog> {
  const index = await indexLog(log, signal);
  const endsWithLine =
    log.size === 0 || (await logRangeText(log, { start: log.size - 1, end: log.size }, signal)) === '\n';
  return { log, index, total: index.lineCount + (endsWithLine ? 0 : 1) };
}

/** Lines of a log from one on, counted from 0. */
async function linesFrom(
  { log, index: { offsets, stride, size }, total }: IndexedLog,
  first: number,
  most: number,
  signal: AbortSignal,
): Promise<Line[]> {
  const from = Math.min(Math.max(0, first), total);
  const at = Math.min(Math.floor(from / stride), offsets.length - 1);
  const start = offsets[at] ?? 0;
  const text = await logRangeText(log, { start, end: Math.min(size, start + logTextBytes) }, signal);
  const visible = new EscapeStripper().push(text).split('\n');
  const skipped = from - at * stride;
  return visible
    .slice(skipped, skipped + Math.min(most, total - from))
    .map((line, index) => ({ rn: from + index + 1, c: shownOf(line) }));
}

function shownOf(line: string): string {
  const shown = lastStateOf(line);
  return shown.length > mostOfFoundLine ? `${shown.slice(0, mostOfFoundLine)}…` : shown;
}

const readLogs: Tool = {
  ...logTool,
  name: 'read_logs',
  title: 'Lines of a log',
  description:
    'Returns lines of the log of a job from one on: numbers (rn) from 1 as in the console, and texts (c). ' +
    'Of a failed job get_job_failure says why without reading.',
  input: z.strictObject({
    ...ofJob,
    seek: z.number().int().min(0).default(0).describe('Lines to pass over'),
    limit: z.number().int().min(1).max(mostLines).default(100).describe(`Most lines, up to ${mostLines}`),
  }),
  run: async ({ context, signal }, args) => {
    const log = await indexed(await openLog(context(), args), signal);
    const { total } = log;
    const lines = await linesFrom(log, Number(args['seek']), Number(args['limit']), signal);
    const last = lines.at(-1)?.rn ?? total;
    return { entries: entriesOf(lines), total_rows: total, next_seek: last < total ? last : null };
  },
};

const tailLogs: Tool = {
  ...logTool,
  name: 'tail_logs',
  title: 'End of a log',
  description: 'Returns the last lines of the log of a job.',
  input: z.strictObject({
    ...ofJob,
    tail: z.number().int().min(1).max(mostLines).default(10).describe(`Number of lines, up to ${mostLines}`),
  }),
  run: async ({ context, signal }, args) => {
    const log = await indexed(await openLog(context(), args), signal);
    const { total } = log;
    const tail = Number(args['tail']);
    const lines = await linesFrom(log, Math.max(0, total - tail), tail, signal);
    return { entries: entriesOf(lines), total_rows: total };
  },
};

/** Lines around a match at most, and matches that are shown with lines around them. */
const mostContext = 20;
const mostWithContext = 50;
const context = z.number().int().min(0).max(mostContext);

const searchLogs: Tool = {
  ...logTool,
  name: 'search_logs',
  title: 'Search in a log',
  description:
    'Finds lines in the log of one job by a regular expression (RE2), with lines around them. ' +
    'search_organization_logs looks through the logs of all jobs.',
  input: z.strictObject({
    ...ofJob,
    pattern: z.string().min(1).max(1_000).describe('Regular expression'),
    context: context.optional().describe(`Lines before and after each match, up to ${mostContext}`),
    before_context: context.optional().describe('Lines before each match'),
    after_context: context.optional().describe('Lines after each match'),
    case_sensitive: z.boolean().default(false).describe('Whether cases of letters differ'),
    invert_match: z.boolean().default(false).describe('Whether lines that do not match are wanted'),
    reverse: z.boolean().default(false).describe('Whether the last matches are wanted, the last one first'),
    seek_start: z.number().int().min(0).default(0).describe('Lines to pass over'),
    limit: z.number().int().min(1).max(mostLines).default(100).describe(`Most matches, up to ${mostLines}`),
  }),
  run: async (call, args) => {
    const within = call.context();
    const log = await openLog(within, args);
    const around = {
      before: Number(args['before_context'] ?? args['context'] ?? 0),
      after: Number(args['after_context'] ?? args['context'] ?? 0),
    };
    const most = around.before + around.after > 0 ? mostWithContext : mostLines;
    const limit = Math.min(most, Number(args['limit']));
    const pattern = {
      text: String(args['pattern']),
      isRegexp: true,
      ignoresCase: args['case_sensitive'] !== true,
      inverts: args['invert_match'] === true,
    };
    const compiled = compileLogPattern(pattern);
    if (!compiled.ok) throw new Problem('malformed', `pattern: ${compiled.message}`);
    const isReverse = args['reverse'] === true;
    let matches: Line[] = [];
    let count = 0;
    for await (const part of searchLog(within, log, { pattern, most: 10_000, from: startOfLog, parts: null })) {
      const lines = part.matches.filter(({ line }) => line >= Number(args['seek_start']));
      count += lines.length;
      matches.push(...lines.map(({ line, text }) => ({ rn: line + 1, c: text })));
      matches = isReverse ? matches.slice(-limit) : matches.slice(0, limit);
      if (!isReverse && matches.length >= limit) break;
    }
    if (isReverse) matches.reverse();
    if (around.before + around.after === 0)
      return { results: matches.map((match) => ({ match: { ...match } })), match_count: count };
    const places = await indexed(log, call.signal);
    const results = [];
    for (const match of matches) results.push(await withContext(places, match, around, call.signal));
    return { results, match_count: count };
  },
};

async function withContext(
  log: IndexedLog,
  match: Line,
  { before, after }: { before: number; after: number },
  signal: AbortSignal,
): Promise<JsonObject> {
  const first = Math.max(0, match.rn - 1 - before);
  const lines = await linesFrom(log, first, match.rn - first + after, signal);
  return {
    match: { ...match },
    before_context: entriesOf(lines.filter(({ rn }) => rn < match.rn)),
    after_context: entriesOf(lines.filter(({ rn }) => rn > match.rn)),
  };
}

const entriesOf = (lines: readonly Line[]): JsonObject[] => lines.map(({ rn, c }) => ({ rn, c }));

export const logTools: Tool[] = [
  searchLogs,
  tailLogs,
  readLogs,
  routeTool({
    name: 'search_organization_logs',
    toolset: 'logs',
    title: 'Search in all logs',
    description:
      'Finds lines in the logs of all jobs, or in extracts of failed ones, of the newest job first. ' +
      'While `complete` is false call it again with `cursor`.',
    input: {
      ...organization,
      q: z.string().min(1).max(1_000).optional().describe('Text in any case of its letters, or a regular expression'),
      in: z.enum(logSearchPlaces).optional().describe('logs by default'),
      cluster: z.string().optional().describe('Extracts of jobs that failed alike'),
      regexp: z.boolean().optional().describe('Whether q is an RE2 expression'),
      pipeline: z.string().optional().describe('Slug of the pipeline'),
      branch: z.string().optional().describe('Branch of the builds; * matches any text'),
      state: z.string().optional().describe('Such as failed'),
      step: z.string().optional().describe('Key or label of the step'),
      created_from: z.string().optional().describe('Time from which jobs were created'),
      created_to: z.string().optional().describe('Time before which jobs were created'),
      per_page: z.number().int().min(1).max(100).optional().describe('Most lines, or 30'),
      cursor: z.string().optional().describe('The cursor of the reply before'),
    },
    method: 'get',
    path: '/organizations/{org}/logs/search',
  }),
];
