import type { Json, JsonObject } from '../domain/pipelines/steps/step.js';
import type { SentEvent } from '../domain/integrations/notification-events.js';
import { firstLine } from '../domain/first-line.js';

/** Facts of a payload that messages for people show. */
export interface BuildFacts {
  event: SentEvent;
  buildId: string;
  pipeline: string;
  number: number;
  url: string;
  /** State of the build, or `blocked` for a build that waits for somebody. */
  state: string;
  branch: string;
  commit: string;
  /** First line of the message of the build; empty without one. */
  title: string;
  author: string | null;
  /** Seconds from the first job to the end; null while it runs. */
  seconds: number | null;
  startedAt: string | null;
  finishedAt: string | null;
  /** Step of an event of a step; null for one of the build. */
  step: { id: string | null; name: string; outcome: string; state: string } | null;
  /** Label of the block step of `job.activated`; null for other events. */
  unblocked: { label: string; by: string | null } | null;
}

const longestTitle = 200;

/** A member of an object as an object; empty if it is none. */
export const objectAt = (value: JsonObject, name: string): JsonObject => {
  const member = value[name];
  return typeof member === 'object' && member !== null && !Array.isArray(member) ? member : {};
};
/** A member as a text; null if it is none, or empty. */
export const textAt = (value: JsonObject, name: string): string | null => {
  const member: Json | undefined = value[name];
  return typeof member === 'string' && member !== '' ? member : null;
};

/** Reads a payload about a build, one of its jobs or one of its steps. */
export function buildFacts(event: SentEvent, payload: JsonObject): BuildFacts {
  const [build, pipeline, step] = [
    objectAt(payload, 'build'),
    objectAt(payload, 'pipeline'),
    objectAt(payload, 'step'),
  ];
  const [startedAt, finishedAt] = [textAt(build, 'started_at'), textAt(build, 'finished_at')];
  const state = build['blocked'] === true ? 'blocked' : (textAt(build, 'state') ?? '');
  const creator = objectAt(build, 'creator');
  const author = objectAt(build, 'author');
  const job = objectAt(payload, 'job');
  return {
    event,
    buildId: textAt(build, 'id') ?? '',
    pipeline: textAt(pipeline, 'name') ?? textAt(pipeline, 'slug') ?? 'pipeline',
    number: Number(build['number'] ?? 0),
    url: textAt(build, 'web_url') ?? '',
    state: event === 'build.failing' ? 'failing' : state,
    branch: textAt(build, 'branch') ?? '',
    commit: textAt(build, 'commit') ?? '',
    title: firstLine(textAt(build, 'message')).slice(0, longestTitle),
    author: textAt(author, 'name') ?? textAt(creator, 'name'),
    seconds:
      startedAt && finishedAt && state !== 'blocked'
        ? Math.max(0, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000))
        : null,
    startedAt,
    finishedAt,
    step:
      'step' in payload
        ? {
            id: textAt(step, 'id'),
            name: textAt(step, 'label') ?? textAt(step, 'key') ?? 'step',
            outcome: textAt(step, 'outcome') ?? '',
            state: textAt(step, 'state') ?? '',
          }
        : null,
    unblocked:
      event === 'job.activated'
        ? { label: textAt(job, 'label') ?? 'block', by: textAt(objectAt(job, 'unblocked_by'), 'name') }
        : null,
  };
}

const stateWords: Readonly<Record<string, string>> = {
  scheduled: 'is scheduled',
  running: 'is running',
  failing: 'is failing',
  blocked: 'is blocked',
  canceled: 'was canceled',
  skipped: 'was skipped',
  not_run: 'did not run',
};
const outcomeWords: Readonly<Record<string, string>> = {
  hard_failed: 'failed',
  soft_failed: 'failed softly',
  errored: 'could not finish',
  neutral: 'is failing',
};

/** What has happened, such as `passed` or `is failing`. */
export function happened({ state, step, unblocked }: BuildFacts): string {
  if (step) return step.state === 'canceled' ? 'was canceled' : (outcomeWords[step.outcome] ?? step.outcome);
  if (unblocked) return `was unblocked${unblocked.by === null ? '' : ` by ${unblocked.by}`}`;
  return stateWords[state] ?? state;
}

/** The event in a sentence without markup, such as `Build #12 of App passed (3 minutes, 4 seconds)`. */
export function summaryOf(facts: BuildFacts): string {
  const { pipeline, number, step, unblocked, seconds } = facts;
  const build = `Build #${number} of ${pipeline}`;
  if (step) return `${step.name} of ${build.replace('Build', 'build')} ${happened(facts)}`;
  if (unblocked) return `${unblocked.label} of ${build.replace('Build', 'build')} ${happened(facts)}`;
  return `${build} ${happened(facts)}${seconds === null ? '' : ` (${durationText(seconds)})`}`;
}

/** A time in words, of its two largest units: `1 hour, 2 minutes`. */
export function durationText(seconds: number): string {
  const units = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ] as const;
  const parts = units.filter(([, count]) => count > 0).slice(0, 2);
  if (parts.length === 0) return '0 seconds';
  return parts.map(([unit, count]) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(', ');
}

/** Whether the event is good news, bad news, or neither. */
export function mood({ state, step, unblocked }: BuildFacts): 'good' | 'bad' | 'waiting' | 'neutral' {
  if (unblocked) return 'neutral';
  if (step?.outcome === 'passed') return 'good';
  if (step) return step.outcome === 'soft_failed' ? 'waiting' : 'bad';
  if (state === 'passed') return 'good';
  if (state === 'failed' || state === 'failing') return 'bad';
  return state === 'blocked' ? 'waiting' : 'neutral';
}

/** A full SHA as people write it; any other commit as it is. */
export const shortCommit = (commit: string): string => (/^[0-9a-f]{40}$/.test(commit) ? commit.slice(0, 10) : commit);
