import type { Context } from '../../../../request/context.js';
import type { Problem } from '../check.js';
import type { CheckedBuild } from './facts.js';

/** Something that is true of every build. */
export interface BuildRule {
  name: string;
  problems(facts: CheckedBuild, now: Date): Problem[];
  /** Mends all problems with a remedy, under the lock of the build. */
  mend(context: Context, facts: CheckedBuild): Promise<void>;
}

/** A rule whose problems have no remedy. */
export const cannotMend = async (): Promise<void> => undefined;
