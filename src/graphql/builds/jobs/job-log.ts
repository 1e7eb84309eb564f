import { Args, ArgsType, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { LogIndex } from '../../../domain/builds/logs/log-index.js';
import type { JobRow } from '../../../entities/database.js';
import type { ReadableLog } from '../../../resources/builds/logs/readable-log.js';
import { readLogsOfJobs } from '../../../operations/builds/logs/read-of-jobs.js';
import { findLines, indexLog } from '../../../resources/builds/logs/log-lines.js';
import { logRange, logRangeText, logText, logTextBytes } from '../../../resources/builds/logs/log-text.js';
import type { GraphqlContext } from '../../context.js';
import { Dear, dear } from '../../limits/dear.js';
import { optional } from '../../server/options.js';
import { JSInt } from '../../scalars/numbers.js';
import { JobTypeCommand } from './job-type-command.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ObjectType({ description: 'Log of a job.' })
export class JobLog {
  @Field(() => JSInt, { description: 'Size of the complete log in bytes.' })
  size!: number;
}

@ArgsType()
class LogRangeArguments {
  @Field(() => JSInt, { nullable: true, description: 'First byte of the text, counted from 0.' })
  start?: number;

  @Field(() => JSInt, { nullable: true, description: 'Byte after the last of the text.' })
  end?: number;
}

@ArgsType()
class LogSearchArguments {
  @Field(() => String, { description: 'Text to find, up to 255 characters.' })
  text!: string;
}

@ObjectType({ description: 'Group of lines of a log.' })
export class JobLogGroup {
  @Field(() => Int, { description: 'Number of the line that begins the group, from 0.' })
  line!: number;

  @Field(() => Boolean, { description: 'Whether the log asks for the group to be shown open.' })
  open!: boolean;
}

@ObjectType({ description: 'Beginnings of the lines and groups of a log.' })
export class JobLogIndex {
  @Field(() => JSInt, { description: 'Bytes of the log that were read.' })
  size!: number;

  @Field(() => JSInt, { description: 'Number of lines that have ended.' })
  lineCount!: number;

  @Field(() => Int, { description: 'Number of lines between two of `offsets`.' })
  stride!: number;

  @Field(() => [JSInt], { description: 'Bytes at which lines 0, `stride`, 2 × `stride` and so on begin.' })
  offsets!: number[];

  @Field(() => [JobLogGroup], { description: 'Groups of the log in order, at most 10,000.' })
  groups!: JobLogGroup[];
}

@Resolver(() => JobLog)
export class JobLogResolver {
  @Dear(dear.logBytes)
  @FieldResolver(() => String, {
    description:
      'Text of the log; only the last mebibyte of a longer log. With `start` or `end`: the text between these ' +
      'bytes, at most its first mebibyte.',
  })
  content(
    @Root() log: ReadableLog,
    @Ctx() context: GraphqlContext,
    @Args(() => LogRangeArguments) { start, end }: LogRangeArguments,
  ): Promise<string> {
    if (start === undefined && end === undefined) {
      context.takeLogBytes(Math.min(log.size, logTextBytes));
      return logText(log, context.facts.signal);
    }
    const range = logRange(log.size, start ?? 0, end ?? log.size);
    context.takeLogBytes(range.end - range.start);
    return logRangeText(log, range, context.facts.signal);
  }

  @Dear(dear.wholeLog)
  @FieldResolver(() => JobLogIndex, {
    description: 'Beginnings of the lines and groups of the log, with which a reader loads only the lines in view.',
  })
  index(@Root() log: ReadableLog, @Ctx() context: GraphqlContext): Promise<LogIndex> {
    return indexLog(log, context.facts.signal);
  }

  @Dear(dear.wholeLog)
  @FieldResolver(() => [Int], {
    description:
      'Numbers (from 0) of the first 10,000 lines that contain a text, in any case; escape sequences are not searched.',
  })
  matches(
    @Root() log: ReadableLog,
    @Ctx() context: GraphqlContext,
    @Args(() => LogSearchArguments) { text }: LogSearchArguments,
  ): Promise<number[]> {
    return findLines(log, text, context.facts.signal);
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
  @ReadBy(readLogsOfJobs)
  @FieldResolver(() => JobLog, {
    ...optional,
    description: 'Log of the job so far; null when the log is hidden or has expired.',
  })
  async log(@Root() job: JobRow, @Ctx() context: GraphqlContext): Promise<ReadableLog | null> {
    context.know(job);
    return (await context.performInBatch(readLogsOfJobs, { jobIds: job.id })) ?? null;
  }
}
