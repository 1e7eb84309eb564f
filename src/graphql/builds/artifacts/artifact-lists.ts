import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import type { ArtifactRow, JobRow } from '../../../entities/database.js';
import { getArtifactArchive } from '../../../operations/builds/artifacts/get-archive.js';
import { getArtifact } from '../../../operations/builds/artifacts/get.js';
import { listArtifactsOfJobs } from '../../../operations/builds/artifacts/list-of-jobs.js';
import { listArtifacts } from '../../../operations/builds/artifacts/list.js';
import { PageArguments, SizeArguments, stretchOf } from '../../connections/arguments.js';
import { connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { ArtifactStates } from '../../enums.js';
import { uuidOf } from '../../nodes/ids.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { archiveLink } from '../../../resources/builds/artifacts/links.js';
import { JSInt } from '../../scalars/numbers.js';
import { optional } from '../../server/options.js';
import { Artifact, ArtifactConnection } from './artifact.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ArgsType()
class JobArtifactsArguments extends SizeArguments {
  @Field(() => String, { ...optional, description: 'Path of the artifacts; `*` stands for any text.' })
  path?: string | null;

  @Field(() => ArtifactStates, { ...optional, description: 'State; only artifacts in this state.' })
  state?: string | null;
}

/** Filters of the artifacts of a build or of a job. */
@ArgsType()
class ArtifactsArguments extends PageArguments {
  @Field(() => ID, { ...optional, description: 'GraphQL ID or UUID of a build; required without `job`.' })
  build?: string | null;

  @Field(() => ID, { ...optional, description: 'GraphQL ID or UUID of a job; required without `build`.' })
  job?: string | null;

  @Field(() => String, { ...optional, description: 'Path of the artifacts; `*` stands for any text.' })
  path?: string | null;

  @Field(() => ArtifactStates, { ...optional, description: 'State; only artifacts in this state.' })
  state?: string | null;
}

@Resolver(() => JobTypeCommand)
export class JobTypeCommandArtifactsResolver {
  @ReadBy(listArtifactsOfJobs)
  @FieldResolver(() => ArtifactConnection, { ...optional, description: 'Artifacts of the job, newest first.' })
  async artifacts(
    @Root() job: JobRow,
    @Ctx() context: GraphqlContext,
    @Args(() => JobArtifactsArguments) args: JobArtifactsArguments,
  ) {
    const { path, state } = args;
    return connectionValue(
      await context.performInBatch(listArtifactsOfJobs, { jobIds: job.id }, { path, state, paging: stretchOf(args) }),
    );
  }
}

@ObjectType({ description: 'Archive of all artifacts of a build or of a job.' })
class ArtifactArchive {
  @Field(() => String, {
    ...optional,
    description:
      'URL of the archive, in ZIP format, which needs no credential and is valid for 600 seconds; null when there is ' +
      'nothing to put into it.',
  })
  url!: string | null;

  @Field(() => Int, { description: 'Number of the files: artifacts that are uploaded and not deleted.' })
  files!: number;

  @Field(() => JSInt, { description: 'Size of the files in bytes.' })
  bytes!: number;
}

/** Addresses the build or the job whose artifacts are wanted; throws `invalid` for both or neither. */
function withinOf({ build, job }: { build?: string | null; job?: string | null }) {
  if (!build === !job) throw invalidField('build', 'must be given, or job, and not both');
  return job ? { job: { id: uuidOf(job, ['Job']) } } : { build: { id: uuidOf(build ?? '', ['Build']) } };
}

@Resolver()
export class ArtifactQueries {
  @Query(() => ArtifactArchive, {
    ...optional,
    description:
      'Archive of all artifacts of a build (all its jobs, retried jobs included) or of one job; refused when they ' +
      'are too many or too large for one.',
  })
  async artifactArchive(
    @Arg('build', () => ID, { ...optional, description: 'GraphQL ID or UUID of a build; required without `job`.' })
    build: string | null,
    @Arg('job', () => ID, { ...optional, description: 'GraphQL ID or UUID of a job; required without `build`.' })
    job: string | null,
    @Ctx() context: GraphqlContext,
  ): Promise<ArtifactArchive | null> {
    const archive = await context.find(getArtifactArchive, { within: withinOf({ build, job }) });
    if (!archive) return null;
    const { scope, files, bytes } = archive;
    return { url: files === 0 ? null : archiveLink(context, scope, limits.artifactLinkSeconds), files, bytes };
  }

  @Query(() => Artifact, {
    ...optional,
    description: 'Returns an artifact by its UUID; null when the artifact is absent or hidden.',
  })
  async artifact(
    @Arg('uuid', () => ID, { description: 'UUID or GraphQL ID of the artifact.' }) uuid: string,
    @Ctx() context: GraphqlContext,
  ): Promise<ArtifactRow | null> {
    return (await context.find(getArtifact, { artifact: { id: uuidOf(uuid, ['Artifact']) } }))?.artifact ?? null;
  }

  @Query(() => ArtifactConnection, {
    ...optional,
    description: 'Artifacts of a build (all its jobs, retried jobs included) or of one job, newest first.',
  })
  async artifacts(@Args(() => ArtifactsArguments) args: ArtifactsArguments, @Ctx() context: GraphqlContext) {
    const { path, state } = args;
    const within = withinOf(args);
    const page = await context.find(listArtifacts, { within, path, state, paging: stretchOf(args) });
    return page && connectionValue(page);
  }
}
