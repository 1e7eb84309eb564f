import { Ctx, Field, FieldResolver, Float, ObjectType, Resolver, Root } from 'type-graphql';
import { type PathStretch, secondsOf, timeByKind } from '../../domain/builds/critical-path/critical-path.js';
import type { ShownBuildRow } from '../../entities/database.js';
import { getCriticalPath } from '../../operations/builds/get-critical-path.js';
import type { GraphqlContext } from '../context.js';
import { BuildPathKinds } from '../enums.js';
import { ReadBy } from '../execution/on-the-way.js';
import { Dear, dear } from '../limits/dear.js';
import { DateTime } from '../scalars/date-time.js';
import { optional } from '../server/options.js';
import { Build } from './build.js';
import { Job } from './jobs/job.js';

@ObjectType({ description: 'Stretch of the time of a build, in which what it did made it no shorter.' })
export class BuildPathStretch {
  @Field(() => BuildPathKinds, { description: 'Thing that the build was doing.' })
  kind!: string;

  @Field(() => DateTime, { description: 'Time the stretch began.' })
  startedAt!: Date;

  @Field(() => DateTime, { description: 'Time the stretch ended.' })
  finishedAt!: Date;

  @Field(() => Float, { description: 'Seconds of the stretch.' })
  duration!: number;
}

@ObjectType({ description: 'Stretches of the time of a build that made it no shorter, with their sums in seconds.' })
export class BuildCriticalPath {
  @Field(() => Float, { description: 'Seconds from the creation of the build to its end, or to now.' })
  duration!: number;

  @Field(() => Float, { description: 'Seconds for which jobs ran.' })
  running!: number;

  @Field(() => Float, { description: 'Seconds for which a job waited for an agent.' })
  waitingForAgent!: number;

  @Field(() => Float, { description: 'Seconds for which a job waited for others of its concurrency group.' })
  waitingForConcurrency!: number;

  @Field(() => Float, { description: 'Seconds for which the build waited for somebody to unblock or retry.' })
  waitingForPerson!: number;

  @Field(() => Float, { description: 'Seconds for the server, or for nothing that is known.' })
  other!: number;

  @Field(() => [BuildPathStretch], { description: 'Stretches from the creation of the build on, without a gap.' })
  path!: BuildPathStretch[];
}

type StretchRoot = BuildPathStretch & Pick<PathStretch, 'jobId'>;

@Resolver(() => BuildPathStretch)
export class BuildPathStretchResolver {
  @FieldResolver(() => Job, {
    ...optional,
    description: 'Job that ran or waited; null before the first and after the last, and when it is hidden.',
  })
  job(@Root() { jobId }: StretchRoot, @Ctx() context: GraphqlContext) {
    return context.loadReference('read_builds', context.references.job, jobId);
  }
}

@Resolver(() => Build)
export class CriticalPathOfBuildResolver {
  @Dear(dear.ownStatements)
  @ReadBy(getCriticalPath)
  @FieldResolver(() => BuildCriticalPath, {
    ...optional,
    description: 'Reason why the build took as long as it did, or takes: the jobs and waits that made it no shorter.',
  })
  async criticalPath(@Root() { id }: ShownBuildRow, @Ctx() context: GraphqlContext): Promise<BuildCriticalPath> {
    const { path } = await context.perform(getCriticalPath, { build: { id } });
    const seconds = timeByKind(path);
    return {
      duration: Object.values(seconds).reduce((sum, each) => sum + each, 0),
      running: seconds.running,
      waitingForAgent: seconds.agent,
      waitingForConcurrency: seconds.concurrency,
      waitingForPerson: seconds.person,
      other: seconds.other,
      path: path.map((stretch): StretchRoot => ({
        kind: stretch.kind,
        jobId: stretch.jobId,
        startedAt: stretch.from,
        finishedAt: stretch.to,
        duration: secondsOf(stretch),
      })),
    };
  }
}

/** The resolvers of critical paths. */
export const criticalPathResolvers = [BuildPathStretchResolver, CriticalPathOfBuildResolver] as const;
