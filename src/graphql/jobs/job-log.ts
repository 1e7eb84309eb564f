import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { JobRow } from '../../entities/database.js';
import { type ReadableLog, readJobLog } from '../../operations/jobs/read-log.js';
import { logText, logTextBytes } from '../../operations/logs/log-text.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { JSInt } from '../scalars/numbers.js';
import { JobTypeCommand } from './job-type-command.js';

@ObjectType({ description: 'What a job has written.' })
export class JobLog {
  @Field(() => JSInt, { description: 'Bytes of the whole log.' })
  size!: number;
}

@Resolver(() => JobLog)
export class JobLogResolver {
  @FieldResolver(() => String, { description: 'The text, or of a long log its last mebibyte; `url` has all of it.' })
  content(@Root() log: ReadableLog, @Ctx() context: GraphqlContext): Promise<string> {
    context.takeLogBytes(Math.min(log.size, logTextBytes));
    return logText(log);
  }

  @FieldResolver(() => [String], { description: 'When each group of lines began, in nanoseconds since 1970: more than a number holds.' })
  async headerTimes(@Root() log: ReadableLog): Promise<string[]> {
    return (await log.headerTimes()).map(String);
  }

  @FieldResolver(() => String, { description: 'Where all of it is to be had on /v2.' })
  url(@Root() { organization, pipeline, build, job }: ReadableLog, @Ctx() context: GraphqlContext): string {
    return `${context.baseUrl}/v2/organizations/${organization.slug}/pipelines/${pipeline.slug}/builds/${build.number}/jobs/${job.id}/log`;
  }
}

@Resolver(() => JobTypeCommand)
export class JobTypeCommandLogResolver {
  @FieldResolver(() => JobLog, { ...optional, description: 'What the job has written so far.' })
  log(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<ReadableLog | null> {
    return context.find(readJobLog, { job: { id: job.id } });
  }
}
