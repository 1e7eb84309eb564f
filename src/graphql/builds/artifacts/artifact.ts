import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, ID, Info, ObjectType, Resolver, Root } from 'type-graphql';
import { limits } from '../../../domain/limits/limits.js';
import type { ArtifactRow } from '../../../entities/database.js';
import { expiryOfArtifact } from '../../../resources/builds/artifacts/expiry.js';
import { artifactLink, reportLink } from '../../../resources/builds/artifacts/links.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';
import { JSInt } from '../../scalars/numbers.js';

@ObjectType({ implements: Node, description: 'File that a job uploaded.' })
export class Artifact {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the artifact; `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Path of the file, relative to the working directory of the job.' })
  path!: string;

  @Field(() => String, { ...optional, description: 'Glob pattern that matched the file; null when unknown.' })
  globPath!: string | null;

  @Field(() => String, { ...optional, description: 'Path of the file on the machine of the agent; null when unknown.' })
  absolutePath!: string | null;

  @Field(() => String, { name: 'mimeType', description: 'MIME type of the file.' })
  contentType!: string;

  @Field(() => String, { description: 'SHA-1 checksum of the file, in hexadecimal.' })
  sha1sum!: string;

  @Field(() => String, {
    ...optional,
    description: 'SHA-256 checksum of the file, in hexadecimal; null when the agent reported none.',
  })
  sha256sum!: string | null;

  @Field(() => JSInt, { name: 'size', description: 'Size of the file in bytes.' })
  fileSize!: number;

  @Field(() => String, { description: 'State of the artifact: `new`, `error`, `finished`, `deleted` or `expired`.' })
  state!: string;
}

export const { Connection: ArtifactConnection } = connectionOf('Artifact', () => Artifact);

@Resolver(() => Artifact)
export class ArtifactResolver {
  @FieldResolver(() => String, {
    description:
      'Download URL that needs no credential and is valid for 600 seconds; leads nowhere unless the state is ' +
      '`finished`.',
  })
  downloadURL(@Root() artifact: ArtifactRow, @Ctx() context: GraphqlContext): string {
    return artifactLink(context, artifact, limits.artifactLinkSeconds);
  }

  @FieldResolver(() => String, {
    ...optional,
    description:
      'URL that opens an HTML artifact as a page, in a sandbox, with the files of its job beside it; needs no ' +
      'credential and is valid for 3,600 seconds. Null for other artifacts, and for those whose bytes are not in ' +
      'the storage.',
  })
  reportURL(@Root() artifact: ArtifactRow, @Ctx() context: GraphqlContext): string | null {
    return reportLink(context, artifact);
  }

  @FieldResolver(() => DateTime, {
    ...optional,
    description:
      'Earliest time at which retention deletes the bytes of the artifact by the age of its build; null without such ' +
      'a policy, while the build is unfinished or pinned, and once the bytes are gone.',
  })
  expiresAt(@Root() artifact: ArtifactRow, @Ctx() context: GraphqlContext): Promise<Date | null> {
    return expiryOfArtifact(context, artifact);
  }

  @FieldResolver(() => JobTypeCommand, { ...optional, description: 'Job that uploaded the artifact.' })
  job(@Root() artifact: ArtifactRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_builds', context.references.job, artifact.jobId, info);
  }
}
