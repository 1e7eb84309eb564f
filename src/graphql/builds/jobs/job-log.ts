import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { JobRow } from '../../../entities/database.js';
import type { ReadableLog } from '../../../resources/builds/logs/readable-log.js';
import { readLogsOfJobs } from '../../../operations/builds/logs/read-of-jobs.js';
import { logText, logTextBytes } from '../../../resources/builds/logs/log-text.js';
import type { GraphqlContext } from '../../context.js';
import { Dear, dear } from '../../limits/dear.js';
import { optional } from '../../server/options.js';
import { JSInt } from '../../scalars/numbers.js';
import { JobTypeCommand } from './job-type-command.js';

@ObjectType({ description: 'Log of a job.' })
export class JobLog {
  @Field(() => JSInt, { description: 'Size of the complete log in bytes.' })
  size!: number;
}

@Resolver(() => JobLog)
export class JobLogResolver {
  @Dear(dear.logBytes)
  @FieldResolver(() => String, { description: 'Text of the log; only the last mebibyte of a longer log.' })
  content(@Root() log: ReadableLog, @Ctx() context: GraphqlContext): Promise<string> {
    context.takeLogBytes(Math.min(log.size, logTextBytes));
    return logText(log, context.facts.signal);
  }

  @Dear(dear.logBytes)
  @FieldResolver(() => [String], {
    description:
      'Times at which the groups of lines begin, in nanoseconds since 1970, as text because the numbers exceed `Int`.',
  })
  async headerTimes(@Root() log: ReadableLog): Promise<string[]> {
    return (await log.headerTimes()).map(String);
  }

  @FieldResolver(() => String, { description: 'REST URL of the complete log.' })
  url(@Root() { organization, pipeline, build, job }: ReadableLog, @Ctx() context: GraphqlContext): string {
    return `${context.baseUrl}/v2/organizations/${organization.slug}/pipelines/${pipeline.slug}/builds/${build.number}/jobs/${job.id}/log`;
  }
}

@Resolver(() => JobTypeCommand)
export class JobTypeCommandLogResolver {
  @FieldResolver(() => JobLog, { ...optional, description: 'Log of the job so far; null when the log is hidden.' })
  async log(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<ReadableLog | null> {
    context.know(job);
    return (await context.loadBatched(readLogsOfJobs, 'jobIds', job.id)) ?? null;
  }
}
