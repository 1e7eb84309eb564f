import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { deleteArtifact } from '../../operations/artifacts/delete.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Artifact } from './artifact.js';

@InputType({ description: 'An artifact to be deleted.' })
class ArtifactDeleteInput extends IdInput {}

@ObjectType({ description: 'The artifact: its record stays, its bytes are gone.' })
class ArtifactDeletePayload extends MutationPayload {
  @Field(() => Artifact, optional)
  artifact!: unknown;

  @Field(() => ID)
  deletedArtifactId!: string;
}

@Resolver()
export class ArtifactMutations {
  @Mutation(() => ArtifactDeletePayload, { ...optional, description: 'Deletes an artifact.' })
  async artifactDelete(@Arg('input', () => ArtifactDeleteInput) input: ArtifactDeleteInput, @Ctx() context: GraphqlContext) {
    const { artifact } = await context.command(deleteArtifact, { artifact: { id: uuidOf(input.id, ['Artifact']) } });
    return payload(input, { artifact, deletedArtifactId: encodeNodeId('Artifact', artifact.id) });
  }
}
