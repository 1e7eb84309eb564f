import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createAgentToken } from '../../operations/clusters/create-agent-token.js';
import { revokeAgentToken } from '../../operations/clusters/revoke-agent-token.js';
import { updateAgentToken } from '../../operations/clusters/update-agent-token.js';
import type { GraphqlContext } from '../context.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { ClusterAgentTokenCreateInput, ClusterAgentTokenRevokeInput, ClusterAgentTokenUpdateInput } from './cluster-inputs.js';
import { ClusterToken } from './cluster-token.js';
import { withinOrganization } from './within-organization.js';

@ObjectType({ description: 'The agent token that was made, with its value.' })
class ClusterAgentTokenCreatePayload extends MutationPayload {
  @Field(() => ClusterToken)
  clusterAgentToken!: unknown;

  @Field(() => String, { description: 'The token itself, shown this once.' })
  tokenValue!: string;
}

@ObjectType({ description: 'The agent token as it is now.' })
class ClusterAgentTokenUpdatePayload extends MutationPayload {
  @Field(() => ClusterToken)
  clusterAgentToken!: unknown;
}

@ObjectType({ description: 'What was revoked.' })
class ClusterAgentTokenRevokePayload extends MutationPayload {
  @Field(() => ID)
  deletedClusterAgentTokenId!: string;
}

@Resolver()
export class ClusterAgentTokenMutations {
  @Mutation(() => ClusterAgentTokenCreatePayload, { ...optional, description: 'Makes a token that agents of a cluster register with.' })
  async clusterAgentTokenCreate(@Arg('input', () => ClusterAgentTokenCreateInput) input: ClusterAgentTokenCreateInput, @Ctx() context: GraphqlContext) {
    const { allowedIpAddresses, description, expiresAt } = input;
    const given = { cluster: await withinOrganization(context, input.organizationId, input.clusterId), allowedIpAddresses, description, expiresAt };
    const { agentToken, value } = await context.command(createAgentToken, given);
    return payload(input, { clusterAgentToken: agentToken, tokenValue: value });
  }

  @Mutation(() => ClusterAgentTokenUpdatePayload, { ...optional, description: 'Changes what is said of an agent token.' })
  async clusterAgentTokenUpdate(@Arg('input', () => ClusterAgentTokenUpdateInput) input: ClusterAgentTokenUpdateInput, @Ctx() context: GraphqlContext) {
    const { allowedIpAddresses, description } = input;
    const given = { agentToken: await withinOrganization(context, input.organizationId, input.id), allowedIpAddresses, description };
    return payload(input, { clusterAgentToken: (await context.command(updateAgentToken, given)).agentToken });
  }

  @Mutation(() => ClusterAgentTokenRevokePayload, { ...optional, description: 'Revokes an agent token.' })
  async clusterAgentTokenRevoke(@Arg('input', () => ClusterAgentTokenRevokeInput) input: ClusterAgentTokenRevokeInput, @Ctx() context: GraphqlContext) {
    const { agentToken } = await context.command(revokeAgentToken, { agentToken: await withinOrganization(context, input.organizationId, input.id) });
    return payload(input, { deletedClusterAgentTokenId: encodeNodeId('ClusterToken', agentToken.id) });
  }
}
