import { limits } from './limits.js';
import { stepLimits } from './step-limits.js';

/** Sums that an operator may raise as far as the heap grows: memory holds what they bound several times over. */
const bytesOf = [
  'definitionBytes',
  'uploadBytes',
  'stepBytes',
  'commandBytes',
  'pluginsBytes',
  'notifyBytes',
  'jobTextBytes',
  'buildStepBytes',
  'metaDataBytes',
  'annotationsBytes',
] as const;
type RaisableBytes = (typeof bytesOf)[number];

/** Heap in bytes that the default sums suit: the heap of Node on a machine with 1 GiB. */
const usualHeap = 512 * 1024 * 1024;

/**
 * Limits that an operator may raise, with the usual value and the most that the server is tested with; for sums the
 * most at {@link usualHeap}.
 */
export const raisableLimits = {
  jobsPerUpload: { usual: limits.jobsPerUpload, most: limits.jobsPerBuild },
  matrixJobs: { usual: stepLimits.matrixJobs, most: 500 },
  matrixElements: { usual: stepLimits.matrixElements, most: 100 },
  matrixAdjustments: { usual: stepLimits.matrixAdjustments, most: 100 },
  ...(Object.fromEntries(bytesOf.map((name) => [name, { usual: limits[name], most: limits[name] }])) as Record<
    RaisableBytes,
    { usual: number; most: number }
  >),
} as const;
export type RaisableLimit = keyof typeof raisableLimits;

const raised = new Map<RaisableLimit, number>();

/** The limit in force in this process. */
export function limitOf(name: RaisableLimit): number {
  return raised.get(name) ?? raisableLimits[name].usual;
}

/**
 * Sets the raised limits of this process, in place of the limits of an earlier call; called when a process or thread
 * begins.
 */
export function raiseLimits(values: ReadonlyMap<RaisableLimit, number>): void {
  raised.clear();
  for (const [name, value] of values) raised.set(name, value);
}

const isRaisable = (name: string): name is RaisableLimit => Object.hasOwn(raisableLimits, name);

const isSum = (name: RaisableLimit): boolean => (bytesOf as readonly string[]).includes(name);

/** Returns the highest value of a limit in a process whose heap may grow to `heapBytes`. */
function mostOf(name: RaisableLimit, heapBytes: number): number {
  const { usual, most } = raisableLimits[name];
  if (!isSum(name)) return most;
  // The body of an upload has a limit of its own; the parameters of a statement are texts, which Node bounds at half a
  // gibibyte.
  const largest = name === 'uploadBytes' ? limits.jsonBodyBytes : 256 * 1024 * 1024;
  return Math.max(usual, Math.min(Math.floor((usual * heapBytes) / usualHeap), largest));
}

/**
 * Reads limits from a text such as `matrixJobs=100,jobsPerUpload=1000`; problems are sentences for the operator.
 * `heapBytes` is what the heap of the server may grow to; without it sums have no bound by memory, for threads and
 * programs beside a server that has checked the text.
 */
export function readLimits(
  text: string,
  heapBytes = Infinity,
): { values: Map<RaisableLimit, number>; problems: string[] } {
  const values = new Map<RaisableLimit, number>();
  const problems: string[] = [];
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const [name = '', value = ''] = item.split('=').map((part) => part.trim());
    if (!isRaisable(name)) {
      problems.push(
        `${JSON.stringify(name)} is no limit that can be raised: ${Object.keys(raisableLimits).join(', ')}`,
      );
      continue;
    }
    const { usual } = raisableLimits[name];
    const most = mostOf(name, heapBytes);
    const number = Number(value);
    if (/^\d{1,10}$/.test(value) && number >= usual && number <= most) values.set(name, number);
    else problems.push(`${name} must be a whole number from ${usual} to ${most}${reasonOf(name, heapBytes)}`);
  }
  return { values, problems };
}

function reasonOf(name: RaisableLimit, heapBytes: number): string {
  if (!isSum(name)) return '';
  const heap = Math.floor(heapBytes / (1024 * 1024));
  return `, the most that a heap of ${heap} MiB has room for; node --max-old-space-size gives it more`;
}
