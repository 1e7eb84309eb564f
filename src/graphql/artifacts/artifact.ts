import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { limits } from '../../domain/limits.js';
import type { ArtifactRow } from '../../entities/database.js';
import { artifactLink } from '../../operations/artifacts/links.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { JSInt } from '../scalars/numbers.js';

@ObjectType({ implements: Node, description: 'A file that a job left behind.' })
export class Artifact {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'Where it was, below the folder of its job.' })
  path!: string;

  @Field(() => String, { ...optional, description: 'The pattern it was found by.' })
  globPath!: string | null;

  @Field(() => String, { ...optional, description: 'Where it was on the machine of its agent.' })
  absolutePath!: string | null;

  @Field(() => String, { name: 'mimeType' })
  contentType!: string;

  @Field(() => String)
  sha1sum!: string;

  @Field(() => String, optional)
  sha256sum!: string | null;

  @Field(() => JSInt, { name: 'size', description: 'Its bytes.' })
  fileSize!: number;

  @Field(() => String, { description: '`new`, `error`, `finished`, `deleted` or `expired`.' })
  state!: string;
}

export const { Connection: ArtifactConnection } = connectionOf('Artifact', () => Artifact);

@Resolver(() => Artifact)
export class ArtifactResolver {
  @FieldResolver(() => String, { description: 'Where its bytes are to be had for ten minutes, without a credential, once it is finished.' })
  downloadURL(@Root() artifact: ArtifactRow, @Ctx() context: GraphqlContext): string {
    return artifactLink(context, artifact, limits.artifactLinkSeconds);
  }

  @FieldResolver(() => DateTime, { ...optional, description: 'When it will be deleted; null where nobody has said so.' })
  expiresAt(): Date | null {
    return null;
  }

  @FieldResolver(() => JobTypeCommand, optional)
  job(@Root() artifact: ArtifactRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_builds', context.load.job, artifact.jobId);
  }
}
