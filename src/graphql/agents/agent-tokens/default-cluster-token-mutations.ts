import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { onTheWay } from '../../../core/operation.js';
import { createAgentToken } from '../../../operations/agents/agent-tokens/create.js';
import { revokeAgentToken } from '../../../operations/agents/agent-tokens/revoke.js';
import { getOrganization } from '../../../operations/organizations/get.js';
import { defaultClusterOf } from '../../../resources/agents/clusters/default-cluster.js';
import { newEdge } from '../../connections/edge.js';
import type { GraphqlContext } from '../../context.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { uuidOf } from '../../nodes/ids.js';
import { Organization } from '../../organizations/organization.js';
import { optional } from '../../server/options.js';
import { AgentToken, AgentTokenEdge } from './agent-token.js';

@InputType({ description: 'Fields of a new token of the default cluster.' })
class AgentTokenCreateInput extends MutationInput {
  @Field(() => String, { ...optional, description: 'Description of the token.' })
  description?: string | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationID!: string;

  @Field(() => Boolean, {
    ...optional,
    defaultValue: false,
    description: 'Whether everyone may see the agents: has no effect, agents are never public.',
  })
  public?: boolean | null;
}

@ObjectType({ description: 'The new token with its value.' })
class AgentTokenCreatePayload extends MutationPayload {
  @Field(() => AgentTokenEdge, { description: 'The new token as an item of the list.' })
  agentTokenEdge!: unknown;

  @Field(() => Organization, { description: 'Organization of the token.' })
  organization!: unknown;

  @Field(() => String, { description: 'Value of the token; shown only here.' })
  tokenValue!: string;
}

@InputType({ description: 'Token of the default cluster to revoke, with the reason.' })
class AgentTokenRevokeInput extends IdInput {
  @Field(() => String, { description: 'Reason, shown with the token later.' })
  reason!: string;
}

@ObjectType({ description: 'The revoked token.' })
class AgentTokenRevokePayload extends MutationPayload {
  @Field(() => AgentToken, { description: 'The revoked token.' })
  agentToken!: unknown;
}

/** Tokens of the default cluster, for clients from before clusters. */
@Resolver()
export class DefaultClusterTokenMutations {
  @Mutation(() => AgentTokenCreatePayload, {
    ...optional,
    description: 'Creates a token with which agents of the default cluster register.',
  })
  async agentTokenCreate(
    @Arg('input', () => AgentTokenCreateInput, { description: 'Fields of the new token.' })
    input: AgentTokenCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    context.requireScope(createAgentToken.scope);
    const organization = await context.perform(onTheWay(getOrganization), {
      organization: { id: uuidOf(input.organizationID, ['Organization']) },
    });
    const { agentToken, value } = await context.command(createAgentToken, {
      cluster: defaultClusterOf(organization, 'organizationID'),
      description: input.description || 'Agent token',
    });
    return payload(input, { agentTokenEdge: newEdge(agentToken), organization, tokenValue: value });
  }

  @Mutation(() => AgentTokenRevokePayload, { ...optional, description: 'Revokes a token of the default cluster.' })
  async agentTokenRevoke(
    @Arg('input', () => AgentTokenRevokeInput, { description: 'Token to revoke, with the reason.' })
    input: AgentTokenRevokeInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { id, reason } = input;
    const { agentToken } = await context.command(revokeAgentToken, { agentToken: { id }, reason });
    return payload(input, { agentToken });
  }
}
