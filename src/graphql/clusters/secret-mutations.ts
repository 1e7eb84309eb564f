import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createSecret } from '../../operations/secrets/create.js';
import { deleteSecret } from '../../operations/secrets/delete.js';
import { updateSecret } from '../../operations/secrets/update.js';
import { updateSecretValue } from '../../operations/secrets/update-value.js';
import type { GraphqlContext } from '../context.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { IdInOrganizationInput } from './cluster-inputs.js';
import { Secret } from './secret.js';
import { withinOrganization } from './within-organization.js';

@InputType({ description: 'A secret to be kept.' })
class SecretCreateInput extends MutationInput {
  @Field(() => ID)
  clusterId!: string;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String)
  key!: string;

  @Field(() => ID)
  organizationId!: string;

  @Field(() => String, { ...optional, description: 'YAML: which jobs may have it.' })
  policy?: string | null;

  @Field(() => String, { description: 'What is never shown again.' })
  value!: string;
}

@InputType({ description: 'Changes to what is said of a secret; what is absent stays as it is.' })
class SecretUpdateInput extends IdInOrganizationInput {
  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String, { ...optional, description: 'YAML: which jobs may have it.' })
  policy?: string | null;
}

@InputType({ description: 'A secret that gets another value.' })
class SecretUpdateValueInput extends IdInOrganizationInput {
  @Field(() => String, { description: 'What is never shown again.' })
  value!: string;
}

@InputType({ description: 'A secret to be deleted.' })
class SecretDeleteInput extends IdInOrganizationInput {}

/** A payload with nothing but the secret. */
function secretPayload(name: string) {
  @ObjectType(name, { description: 'The secret as it is now, without its value.' })
  class SecretPayload extends MutationPayload {
    @Field(() => Secret)
    secret!: unknown;
  }
  return SecretPayload;
}

const SecretCreatePayload = secretPayload('SecretCreatePayload');
const SecretUpdatePayload = secretPayload('SecretUpdatePayload');
const SecretUpdateValuePayload = secretPayload('SecretUpdateValuePayload');

@ObjectType({ description: 'What was deleted.' })
class SecretDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedSecretId!: string;
}

const addressOf = async (context: GraphqlContext, { organizationId, id }: IdInOrganizationInput) => ({ secret: await withinOrganization(context, organizationId, id) });

@Resolver()
export class SecretMutations {
  @Mutation(() => SecretCreatePayload, { ...optional, description: 'Keeps a value for the jobs of a cluster.' })
  async secretCreate(@Arg('input', () => SecretCreateInput) input: SecretCreateInput, @Ctx() context: GraphqlContext) {
    const { key, value, description, policy } = input;
    const given = { cluster: await withinOrganization(context, input.organizationId, input.clusterId), key, value, description, policy };
    return payload(input, { secret: (await context.command(createSecret, given)).secret });
  }

  @Mutation(() => SecretUpdatePayload, { ...optional, description: 'Changes what is said of a secret.' })
  async secretUpdate(@Arg('input', () => SecretUpdateInput) input: SecretUpdateInput, @Ctx() context: GraphqlContext) {
    const given = { ...(await addressOf(context, input)), description: input.description, policy: input.policy };
    return payload(input, { secret: (await context.command(updateSecret, given)).secret });
  }

  @Mutation(() => SecretUpdateValuePayload, { ...optional, description: 'Gives a secret another value.' })
  async secretUpdateValue(@Arg('input', () => SecretUpdateValueInput) input: SecretUpdateValueInput, @Ctx() context: GraphqlContext) {
    return payload(input, { secret: (await context.command(updateSecretValue, { ...(await addressOf(context, input)), value: input.value })).secret });
  }

  @Mutation(() => SecretDeletePayload, { ...optional, description: 'Deletes a secret.' })
  async secretDelete(@Arg('input', () => SecretDeleteInput) input: SecretDeleteInput, @Ctx() context: GraphqlContext) {
    const { secret } = await context.command(deleteSecret, await addressOf(context, input));
    return payload(input, { deletedSecretId: encodeNodeId('ClusterSecret', secret.id) });
  }
}
