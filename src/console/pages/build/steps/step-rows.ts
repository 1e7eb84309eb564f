import { lookOf, type Tone } from '../../../ui/state-tone';
import type { Attempts, JobView } from './job-view';

/** Jobs of one step, from which on they are folded: parallel ones and those of a matrix. */
const folded = 5;
/** Which of several looks says most of a step: the lowest. */
const ranks: Readonly<Record<Tone, number>> = { failed: 0, running: 1, blocked: 2, waiting: 3, passed: 4 };

/** Jobs of one step as one row. */
export interface StepSet {
  step: string;
  /** What the labels of its jobs have in common. */
  label: string;
  jobs: Attempts[];
  passed: number;
  state: string;
}

/** A row of the list: a job with its attempts, or a step of many jobs. */
export type StepRow = { job: Attempts; set?: undefined } | { set: StepSet; job?: undefined };

/** Which jobs are listed. */
export interface StepFilter {
  text: string;
  onlyFailed: boolean;
}

/** Whether anything is left out. */
export const isFiltering = ({ text, onlyFailed }: StepFilter): boolean => onlyFailed || text.trim() !== '';

const isFailed = ({ state }: JobView): boolean => lookOf(state).tone === 'failed';

/** Rows in the order of the jobs. Jobs of a step that are many stand in one; what a filter leaves of them does not. */
export function stepRows(attempts: readonly Attempts[], filter: StepFilter): StepRow[] {
  if (isFiltering(filter)) return attempts.filter(({ job }) => isMatch(job, filter)).map((job) => ({ job }));
  const rows: StepRow[] = [];
  for (let at = 0; at < attempts.length;) {
    const jobs = jobsOfStep(attempts, at);
    rows.push(...(jobs.length >= folded ? [{ set: setOf(jobs) }] : jobs.map((job) => ({ job }))));
    at += jobs.length;
  }
  return rows;
}

function isMatch(job: JobView, { text, onlyFailed }: StepFilter): boolean {
  if (job.type === 'wait' || (onlyFailed && !isFailed(job))) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const searched = [job.name, job.detail, job.step?.key, job.step?.groupLabel].join(' ').toLowerCase();
  return words.every((word) => searched.includes(word));
}

/** The jobs of the step of the one at this place, as far as they follow each other. */
function jobsOfStep(attempts: readonly Attempts[], at: number): Attempts[] {
  const step = attempts[at]?.job.step?.uuid;
  let end = at + 1;
  while (step !== undefined && end < attempts.length && attempts[end]?.job.step?.uuid === step) end += 1;
  return attempts.slice(at, end);
}

function setOf(jobs: Attempts[]): StepSet {
  const [first] = jobs;
  return {
    step: first?.job.step?.uuid ?? '',
    label: commonLabel(jobs.map(({ job }) => job.label)),
    jobs,
    passed: jobs.filter(({ job }) => lookOf(job.state).tone === 'passed').length,
    state: worstState(jobs.map(({ job }) => job)),
  };
}

/** What labels begin with in common, without a number that is cut in two; the first of them if that is nothing. */
export function commonLabel(labels: readonly string[]): string {
  const [first = ''] = labels;
  let end = first.length;
  for (const label of labels) while (!label.startsWith(first.slice(0, end))) end -= 1;
  if (labels.every((label) => label === first)) return first;
  return first.slice(0, end).replace(/[\s\d#(:/-]+$/, '') || first;
}

/** The state in which a step of several jobs is shown: the worst. */
export function worstState(jobs: readonly JobView[]): string {
  const rank = ({ state }: JobView) => ranks[lookOf(state).tone];
  return jobs.reduce((worst, job) => (rank(job) < rank(worst) ? job : worst)).state;
}

/** The jobs of a set that are listed while it is closed: those that failed, so that none of them hides. */
export const failedOf = ({ jobs }: StepSet): Attempts[] => jobs.filter(({ job }) => isFailed(job));
