import { Field, InterfaceType, Int } from 'type-graphql';
import type { JobType } from '../../../domain/builds/job-state.js';
import type { JobRow } from '../../../entities/database.js';
import { JobRetryTypes } from '../../enums.js';
import { optional } from '../../server/options.js';

const typeNames: Record<JobType, string> = {
  command: 'JobTypeCommand',
  wait: 'JobTypeWait',
  block: 'JobTypeBlock',
  input: 'JobTypeBlock',
  trigger: 'JobTypeTrigger',
};

/** Names of the GraphQL types of jobs. */
export const jobTypeNames: readonly string[] = [...new Set(Object.values(typeNames))];

/** Name of the GraphQL type of a job. */
export const jobTypeName = (job: Pick<JobRow, 'type'>): string => typeNames[job.type];

/** Fields of every job. Fields of other GraphQL types are declared in `job.ts`, because this file imports none. */
@InterfaceType({ description: 'Fields that jobs of all types have.', resolveType: jobTypeName })
export abstract class JobInterface {
  @Field(() => String, { name: 'uuid', description: 'UUID of the job; `id` in the REST API.' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether a new job has replaced the job.' })
  retried!: boolean;

  @Field(() => Int, { ...optional, description: 'Number of attempts before the job; 0 for the first.' })
  retriesCount!: number | null;

  @Field(() => JobRetryTypes, {
    ...optional,
    description: 'Way in which the job was retried; null when the job was not retried.',
  })
  retryType!: string | null;
}
