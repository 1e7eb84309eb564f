import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { deleteArtifact } from '../../../operations/builds/artifacts/delete.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { IdInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Artifact } from './artifact.js';

@InputType({ description: 'Input of `artifactDelete`.' })
class ArtifactDeleteInput extends IdInput {}

@ObjectType({ description: 'Result of `artifactDelete`.' })
class ArtifactDeletePayload extends MutationPayload {
  @Field(() => Artifact, { ...optional, description: 'Artifact in its state `deleted`.' })
  artifact!: unknown;

  @Field(() => ID, { description: 'GraphQL ID of the deleted artifact.' })
  deletedArtifactId!: string;
}

@Resolver()
export class ArtifactMutations {
  @Mutation(() => ArtifactDeletePayload, {
    ...optional,
    description: 'Deletes the content of an artifact; its record remains.',
  })
  async artifactDelete(
    @Arg('input', () => ArtifactDeleteInput, { description: 'Artifact to delete.' }) input: ArtifactDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { artifact } = await context.command(deleteArtifact, { artifact: { id: uuidOf(input.id, ['Artifact']) } });
    return payload(input, { artifact, deletedArtifactId: encodeNodeId('Artifact', artifact.id) });
  }
}
