import type { jobFields_job$data } from '../../../__generated__/jobFields_job.graphql';
import { texts } from '../../../texts/texts';
import { jobOutcome } from '../../../ui/state-tone';
import { firstLine } from '../../../ui/first-line';

/** A job as the three views of the steps need it, whatever its type. */
export interface JobView {
  uuid: string;
  id: string;
  type: 'command' | 'block' | 'trigger' | 'wait';
  name: string;
  /** Label as it was written, with names of emoji; the name where there is none. */
  label: string;
  /** State, or what a finished job came to. */
  state: string;
  retried: boolean;
  step: StepView | null;
  /** Times in milliseconds; null while they have not come. */
  createdAt: number | null;
  runnableAt: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  /** UUID of the job that retried this one. */
  retriedIn: string | null;
  unblockable: boolean;
  exitStatus: string | null;
  detail: string | null;
  triggered: { url: string; number: number; state: string; pipeline: string } | null;
}

export interface StepView {
  uuid: string;
  key?: string | null | undefined;
  groupKey?: string | null | undefined;
  groupUuid?: string | null | undefined;
  groupLabel?: string | null | undefined;
  /** Keys of steps and groups; null: the order of the steps decides. */
  dependsOn?: readonly string[] | null | undefined;
}

const time = (text: string | null | undefined) => (text ? Date.parse(text) : null);

/** Reads a job of the schema; null for a type that this console does not know. */
export function jobView(job: jobFields_job$data): JobView | null {
  const none = {
    retried: false,
    createdAt: null,
    runnableAt: null,
    startedAt: null,
    finishedAt: null,
    retriedIn: null,
    unblockable: false,
    exitStatus: null,
    detail: null,
    triggered: null,
  };
  switch (job.__typename) {
    case 'JobTypeCommand':
      return {
        ...none,
        uuid: job.uuid,
        id: job.id,
        type: 'command',
        ...named(job.label, firstLine(job.command) || texts.job.unnamed),
        state: jobOutcome(job),
        retried: job.retried,
        step: job.commandStep ?? null,
        createdAt: time(job.createdAt),
        runnableAt: time(job.runnableAt ?? (job.startedAt ? job.scheduledAt : null)),
        startedAt: time(job.startedAt),
        finishedAt: time(job.finishedAt),
        retriedIn: job.retriedInJob?.uuid ?? null,
        exitStatus: job.exitStatus ?? null,
        detail: detailOf(job),
      };
    case 'JobTypeBlock':
      return {
        ...none,
        uuid: job.uuid,
        id: job.id,
        type: 'block',
        ...named(job.label, texts.job.unblock),
        state: job.state,
        step: job.blockStep ?? null,
        finishedAt: time(job.unblockedAt),
        unblockable: job.isUnblockable ?? false,
      };
    case 'JobTypeTrigger':
      return {
        ...none,
        uuid: job.uuid,
        id: job.id,
        type: 'trigger',
        ...named(job.label, texts.job.unnamed),
        state: jobOutcome(job),
        step: job.triggerStep ?? null,
        runnableAt: time(job.createdAt),
        startedAt: time(job.startedAt),
        finishedAt: time(job.finishedAt),
        triggered: job.triggered
          ? {
              url: new URL(job.triggered.url).pathname,
              number: job.triggered.number,
              state: job.triggered.state,
              pipeline: job.triggered.pipeline.name,
            }
          : null,
      };
    case 'JobTypeWait':
      return {
        ...none,
        uuid: job.uuid,
        id: job.id,
        type: 'wait',
        ...named(job.label, texts.job.wait),
        state: job.state,
        step: job.waitStep ?? null,
      };
    default:
      return null;
  }
}

function detailOf(job: {
  readonly parallelGroupIndex?: number | null | undefined;
  readonly parallelGroupTotal?: number | null | undefined;
  readonly matrix?: unknown;
}): string | null {
  if (job.parallelGroupTotal) return texts.job.parallel(job.parallelGroupIndex ?? 0, job.parallelGroupTotal);
  if (typeof job.matrix !== 'string') return null;
  const values: unknown = JSON.parse(job.matrix);
  return values && typeof values === 'object' ? Object.values(values).map(String).join(' · ') || null : null;
}

const named = (label: string | null | undefined, otherwise: string) => ({
  name: plainLabel(label) || otherwise,
  label: label?.trim() || otherwise,
});

/** A label without the `:emoji:` names, which nobody reads aloud. */
export const plainLabel = (label: string | null | undefined): string =>
  (label ?? '').replace(/:[a-z0-9_+-]+:\s*/gi, '').trim();

/** Jobs that were not retried, each with its earlier attempts, oldest first. */
export interface Attempts {
  job: JobView;
  earlier: JobView[];
}

export function withAttempts(jobs: readonly JobView[]): Attempts[] {
  const before = new Map<string, JobView>();
  for (const job of jobs) if (job.retriedIn) before.set(job.retriedIn, job);
  const known = new Set(jobs.map(({ uuid }) => uuid));
  const places = new Map(jobs.map(({ uuid }, index) => [uuid, index]));
  const chains = jobs
    .filter(({ retriedIn }) => retriedIn === null || !known.has(retriedIn))
    .map((job): Attempts => {
      const earlier: JobView[] = [];
      for (let at = before.get(job.uuid); at && earlier.length < jobs.length; at = before.get(at.uuid))
        earlier.unshift(at);
      return { job, earlier };
    });
  // A retry stands where its first attempt stood.
  const placeOf = ({ job, earlier }: Attempts) => places.get((earlier[0] ?? job).uuid) ?? 0;
  return chains.sort((a, b) => placeOf(a) - placeOf(b));
}
