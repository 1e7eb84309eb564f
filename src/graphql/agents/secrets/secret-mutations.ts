import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createSecret } from '../../../operations/agents/secrets/create.js';
import { deleteSecret } from '../../../operations/agents/secrets/delete.js';
import { updateSecret } from '../../../operations/agents/secrets/update.js';
import { updateSecretValue } from '../../../operations/agents/secrets/update-value.js';
import type { GraphqlContext } from '../../context.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { IdInOrganizationInput, InOrganizationInput } from '../clusters/cluster-inputs.js';
import { Secret } from './secret.js';
import { withinOrganization } from '../clusters/within-organization.js';

/** Fields that creating and updating a secret share. */
@InputType('SecretFieldsInput')
abstract class SecretFieldsInput extends InOrganizationInput {
  @Field(() => String, { ...optional, description: 'Description of the secret.' })
  description?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'YAML document that selects the jobs that may read the secret; null for all jobs of the cluster.',
  })
  policy?: string | null;
}

@InputType({ description: 'Fields of a new secret.' })
class SecretCreateInput extends SecretFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the cluster.' })
  clusterId!: string;

  @Field(() => String, { description: 'Key by which jobs request the secret, unique in the cluster.' })
  key!: string;

  @Field(() => String, { description: 'Value of the secret; never shown again.' })
  value!: string;
}

@InputType({ description: 'Secret to update; absent fields stay unchanged.' })
class SecretUpdateInput extends SecretFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the secret.' })
  id!: string;
}

@InputType({ description: 'Secret with its new value.' })
class SecretUpdateValueInput extends IdInOrganizationInput {
  @Field(() => String, { description: 'New value of the secret; never shown again.' })
  value!: string;
}

@InputType({ description: 'Secret to delete.' })
class SecretDeleteInput extends IdInOrganizationInput {}

/** Declares a payload that holds the secret. */
function secretPayload(name: string) {
  @ObjectType(name, { description: 'The secret after the mutation, without its value.' })
  class SecretPayload extends MutationPayload {
    @Field(() => Secret, { description: 'The secret after the mutation, without its value.' })
    secret!: unknown;
  }
  return SecretPayload;
}

const SecretCreatePayload = secretPayload('SecretCreatePayload');
const SecretUpdatePayload = secretPayload('SecretUpdatePayload');
const SecretUpdateValuePayload = secretPayload('SecretUpdateValuePayload');

@ObjectType({ description: 'The deleted secret.' })
class SecretDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted secret.' })
  deletedSecretId!: string;
}

const addressOf = async (context: GraphqlContext, { organizationId, id }: IdInOrganizationInput) => ({
  secret: await withinOrganization(context, organizationId, id),
});

@Resolver()
export class SecretMutations {
  @Mutation(() => SecretCreatePayload, { ...optional, description: 'Creates a secret for the jobs of a cluster.' })
  async secretCreate(
    @Arg('input', () => SecretCreateInput, { description: 'Fields of the new secret.' }) input: SecretCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { key, value, description, policy } = input;
    const operationInput = {
      cluster: await withinOrganization(context, input.organizationId, input.clusterId),
      key,
      value,
      description,
      policy,
    };
    return payload(input, { secret: (await context.command(createSecret, operationInput)).secret });
  }

  @Mutation(() => SecretUpdatePayload, { ...optional, description: 'Updates the description and policy of a secret.' })
  async secretUpdate(
    @Arg('input', () => SecretUpdateInput, { description: 'Secret to update, with its new fields.' })
    input: SecretUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const operationInput = {
      ...(await addressOf(context, input)),
      description: input.description,
      policy: input.policy,
    };
    return payload(input, { secret: (await context.command(updateSecret, operationInput)).secret });
  }

  @Mutation(() => SecretUpdateValuePayload, { ...optional, description: 'Replaces the value of a secret.' })
  async secretUpdateValue(
    @Arg('input', () => SecretUpdateValueInput, { description: 'Secret with its new value.' })
    input: SecretUpdateValueInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, {
      secret: (await context.command(updateSecretValue, { ...(await addressOf(context, input)), value: input.value }))
        .secret,
    });
  }

  @Mutation(() => SecretDeletePayload, { ...optional, description: 'Deletes a secret.' })
  async secretDelete(
    @Arg('input', () => SecretDeleteInput, { description: 'Secret to delete.' }) input: SecretDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { secret } = await context.command(deleteSecret, await addressOf(context, input));
    return payload(input, { deletedSecretId: encodeNodeId('ClusterSecret', secret.id) });
  }
}
