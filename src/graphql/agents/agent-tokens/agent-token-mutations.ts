import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createAgentToken } from '../../../operations/agents/agent-tokens/create.js';
import { revokeAgentToken } from '../../../operations/agents/agent-tokens/revoke.js';
import { updateAgentToken } from '../../../operations/agents/agent-tokens/update.js';
import type { GraphqlContext } from '../../context.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import {
  ClusterAgentTokenCreateInput,
  ClusterAgentTokenRevokeInput,
  ClusterAgentTokenUpdateInput,
} from '../clusters/cluster-inputs.js';
import { ClusterToken } from './cluster-token.js';
import { withinOrganization } from '../clusters/within-organization.js';

@ObjectType({ description: 'The new agent token with its value.' })
class ClusterAgentTokenCreatePayload extends MutationPayload {
  @Field(() => ClusterToken, { description: 'The new agent token.' })
  clusterAgentToken!: unknown;

  @Field(() => String, { description: 'Value of the token; shown only here.' })
  tokenValue!: string;
}

@ObjectType({ description: 'The agent token after the mutation.' })
class ClusterAgentTokenUpdatePayload extends MutationPayload {
  @Field(() => ClusterToken, { description: 'The agent token after the mutation.' })
  clusterAgentToken!: unknown;
}

@ObjectType({ description: 'The revoked agent token.' })
class ClusterAgentTokenRevokePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the revoked agent token.' })
  deletedClusterAgentTokenId!: string;
}

@Resolver()
export class ClusterAgentTokenMutations {
  @Mutation(() => ClusterAgentTokenCreatePayload, {
    ...optional,
    description: 'Creates a token with which agents of a cluster register.',
  })
  async clusterAgentTokenCreate(
    @Arg('input', () => ClusterAgentTokenCreateInput, { description: 'Fields of the new agent token.' })
    input: ClusterAgentTokenCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { allowedIpAddresses, description, expiresAt } = input;
    const operationInput = {
      cluster: await withinOrganization(context, input.organizationId, input.clusterId),
      allowedIpAddresses,
      description,
      expiresAt,
    };
    const { agentToken, value } = await context.command(createAgentToken, operationInput);
    return payload(input, { clusterAgentToken: agentToken, tokenValue: value });
  }

  @Mutation(() => ClusterAgentTokenUpdatePayload, {
    ...optional,
    description: 'Updates the description and allowed IP addresses of an agent token.',
  })
  async clusterAgentTokenUpdate(
    @Arg('input', () => ClusterAgentTokenUpdateInput, { description: 'Agent token to update, with its new fields.' })
    input: ClusterAgentTokenUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { allowedIpAddresses, description } = input;
    const operationInput = {
      agentToken: await withinOrganization(context, input.organizationId, input.id),
      allowedIpAddresses,
      description,
    };
    return payload(input, { clusterAgentToken: (await context.command(updateAgentToken, operationInput)).agentToken });
  }

  @Mutation(() => ClusterAgentTokenRevokePayload, { ...optional, description: 'Revokes an agent token.' })
  async clusterAgentTokenRevoke(
    @Arg('input', () => ClusterAgentTokenRevokeInput, { description: 'Agent token to revoke.' })
    input: ClusterAgentTokenRevokeInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { agentToken } = await context.command(revokeAgentToken, {
      agentToken: await withinOrganization(context, input.organizationId, input.id),
    });
    return payload(input, { deletedClusterAgentTokenId: encodeNodeId('ClusterToken', agentToken.id) });
  }
}
