import { limits } from './limits.js';
import { stepLimits } from './pipelines/steps/step-limits.js';

/** Limits that an operator may raise, with the usual value and the most that the server is tested with. */
export const raisableLimits = {
  jobsPerUpload: { usual: limits.jobsPerUpload, most: limits.jobsPerBuild },
  matrixJobs: { usual: stepLimits.matrixJobs, most: 500 },
  matrixElements: { usual: stepLimits.matrixElements, most: 100 },
  matrixAdjustments: { usual: stepLimits.matrixAdjustments, most: 100 },
} as const;
export type RaisableLimit = keyof typeof raisableLimits;

const raised = new Map<RaisableLimit, number>();

/** The limit in force in this process. */
export function limitOf(name: RaisableLimit): number {
  return raised.get(name) ?? raisableLimits[name].usual;
}

/** Puts limits into force for this process and takes those of an earlier call back; called when a process or thread begins. */
export function raiseLimits(values: ReadonlyMap<RaisableLimit, number>): void {
  raised.clear();
  for (const [name, value] of values) raised.set(name, value);
}

const isRaisable = (name: string): name is RaisableLimit => Object.hasOwn(raisableLimits, name);

/** Reads limits from a text such as `matrixJobs=100,jobsPerUpload=1000`; problems are sentences for the operator. */
export function readLimits(text: string): { values: Map<RaisableLimit, number>; problems: string[] } {
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
    const { usual, most } = raisableLimits[name];
    const number = Number(value);
    if (/^\d{1,10}$/.test(value) && number >= usual && number <= most) values.set(name, number);
    else problems.push(`${name} must be a whole number from ${usual} to ${most}`);
  }
  return { values, problems };
}
