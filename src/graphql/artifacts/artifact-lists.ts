import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { invalidField } from '../../domain/problem.js';
import type { ArtifactRow, JobRow } from '../../entities/database.js';
import { getArtifact } from '../../operations/artifacts/get.js';
import { listArtifactsOfJobs } from '../../operations/artifacts/list-of-jobs.js';
import { listArtifacts } from '../../operations/artifacts/list.js';
import { PageArguments, SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { ArtifactStates } from '../enums.js';
import { uuidOf } from '../ids.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { optional } from '../options.js';
import { Artifact, ArtifactConnection } from './artifact.js';

@ArgsType()
class JobArtifactsArguments extends SizeArguments {
  @Field(() => String, { ...optional, description: 'A path; `*` stands for any text.' })
  path?: string | null;

  @Field(() => ArtifactStates, optional)
  state?: string | null;
}

/** Of a build or of a job: /v2 lists both. */
@ArgsType()
class ArtifactsArguments extends PageArguments {
  @Field(() => ID, { ...optional, description: 'The id or uuid of a build.' })
  build?: string | null;

  @Field(() => ID, { ...optional, description: 'The id or uuid of a job.' })
  job?: string | null;

  @Field(() => String, { ...optional, description: 'A path; `*` stands for any text.' })
  path?: string | null;

  @Field(() => ArtifactStates, optional)
  state?: string | null;
}

@Resolver(() => JobTypeCommand)
export class JobTypeCommandArtifactsResolver {
  @FieldResolver(() => ArtifactConnection, { ...optional, description: 'Files it left behind, newest first.' })
  async artifacts(@Root() job: JobRow, @Ctx() context: GraphqlContext, @Args(() => JobArtifactsArguments) given: JobArtifactsArguments) {
    const { path, state } = given;
    return connectionValue(await context.among(listArtifactsOfJobs, 'jobIds', job.id, { path, state, paging: stretchOf(given) }));
  }
}

@Resolver()
export class ArtifactQueries {
  @Query(() => Artifact, { ...optional, description: 'An artifact by its uuid.' })
  async artifact(@Arg('uuid', () => ID) uuid: string, @Ctx() context: GraphqlContext): Promise<ArtifactRow | null> {
    return (await context.find(getArtifact, { artifact: { id: uuidOf(uuid, ['Artifact']) } }))?.artifact ?? null;
  }

  @Query(() => ArtifactConnection, { ...optional, description: 'Artifacts of a build, all jobs and attempts, or of one job; newest first.' })
  async artifacts(@Args(() => ArtifactsArguments) given: ArtifactsArguments, @Ctx() context: GraphqlContext) {
    const { build, job, path, state } = given;
    if (!build === !job) throw invalidField('build', 'must be given, or job, and not both');
    const within = job ? { job: { id: uuidOf(job, ['Job']) } } : { build: { id: uuidOf(build ?? '', ['Build']) } };
    const page = await context.find(listArtifacts, { within, path, state, paging: stretchOf(given) });
    return page && connectionValue(page);
  }
}
