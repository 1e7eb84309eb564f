import { Field, InterfaceType, Int } from 'type-graphql';
import type { JobType } from '../../domain/job-state.js';
import type { JobRow } from '../../entities/database.js';
import { JobRetryTypes } from '../enums.js';
import { optional } from '../options.js';

const typeNames: Record<JobType, string> = {
  command: 'JobTypeCommand',
  wait: 'JobTypeWait',
  block: 'JobTypeBlock',
  input: 'JobTypeBlock',
  trigger: 'JobTypeTrigger',
};

/** The type a job's row is shown as. */
export const jobTypeName = (job: Pick<JobRow, 'type'>): string => typeNames[job.type];

/** What all jobs have; members that refer to other types are added in `job.ts`, so that this imports none. */
@InterfaceType({ description: 'What all kinds of job have.', resolveType: jobTypeName })
export abstract class JobInterface {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether another job has taken its place.' })
  retried!: boolean;

  @Field(() => Int, { ...optional, description: 'How many attempts there were before this one.' })
  retriesCount!: number | null;

  @Field(() => JobRetryTypes, optional)
  retryType!: string | null;
}
