import type { Context } from '../../../../request/context.js';
import type { BuildRow } from '../../../../entities/database.js';
import type { Problem } from '../check.js';
import type { CheckedBuild } from './facts.js';

/** Something that is true of every build. */
export interface BuildRule {
  name: string;
  problems(facts: CheckedBuild, now: Date): Problem[];
  /** Mends all problems with a remedy, under the lock of the build, which is given as it is stored. */
  mend(context: Context, facts: CheckedBuild, build: BuildRow): Promise<void>;
}
