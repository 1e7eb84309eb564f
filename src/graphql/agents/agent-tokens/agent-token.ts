import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { standing } from '../../../auth/authorize.js';
import type { OrganizationRow } from '../../../entities/database.js';
import { getAgentToken } from '../../../operations/agents/agent-tokens/get.js';
import { listAgentTokens } from '../../../operations/agents/agent-tokens/list.js';
import type { AgentToken as AgentTokenValue } from '../../../resources/agents/agent-tokens/agent-token.js';
import { SizeArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionOfList, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { slugParts } from '../../nodes/ids.js';
import { Node } from '../../nodes/node.js';
import { Organization } from '../../organizations/organization.js';
import { User } from '../../organizations/user.js';
import { Permission, permission } from '../../permission.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ObjectType({ description: 'Actions that the viewer may take on an agent token.' })
export class AgentTokenPermissions {
  @Field(() => Permission, { ...optional, description: 'Whether the viewer may revoke the token.' })
  agentTokenRevoke!: Permission;
}

@ObjectType({
  implements: Node,
  description:
    'A token with which agents of the default cluster register, as clients from before clusters know it; ' +
    '`ClusterToken` is the same for any cluster.',
})
export class AgentToken {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the token.' })
  id!: string;

  @Field(() => DateTime, { ...optional, description: 'Time the token was created.' })
  createdAt!: Date;

  @Field(() => String, { ...optional, description: 'Description of the token.' })
  description!: string;

  @Field(() => DateTime, { ...optional, description: 'Time the token was revoked; null while it is valid.' })
  revokedAt!: Date | null;

  @Field(() => String, { ...optional, description: 'Reason that was given for the revocation; null without one.' })
  revokedReason!: string | null;
}

export const { Connection: AgentTokenConnection, Edge: AgentTokenEdge } = connectionOf('AgentToken', () => AgentToken);

@Resolver(() => AgentToken)
export class AgentTokenResolver {
  @Query(() => AgentToken, {
    ...optional,
    description: 'A token of the default cluster by its slug; null if absent, revoked or hidden.',
  })
  async agentToken(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { description: 'Slug of the token: `organization/uuid`.' }) slug: string,
  ): Promise<AgentTokenValue | null> {
    const [organization, id] = slugParts(slug, 2) ?? [];
    if (organization === undefined || id === undefined) return null;
    const token = await context.find(getAgentToken, { agentToken: { organization, id } });
    return token && token.cluster.id === token.organization.defaultClusterId ? token.agentToken : null;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the token; null if no user did.' })
  createdBy(@Root() token: AgentTokenValue, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, token.createdById);
  }

  @FieldResolver(() => Organization, { ...optional, description: 'Organization of the token.' })
  organization(@Root() token: AgentTokenValue, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(token.organizationId);
  }

  @FieldResolver(() => AgentTokenPermissions, { description: 'Actions that the viewer may take on the token.' })
  permissions(@Root() token: AgentTokenValue, @Ctx() context: GraphqlContext): AgentTokenPermissions {
    const isAdmin = standing(context.actor, token.organizationId) === 'admin';
    return { agentTokenRevoke: permission(isAdmin && token.revokedAt === null) };
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether everyone may see the agents that register with the token: always false.',
  })
  public(): boolean {
    return false;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who revoked the token; null while it is valid.' })
  revokedBy(@Root() token: AgentTokenValue, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, token.revokedById);
  }

  @FieldResolver(() => String, {
    description: 'Always empty: the value of a token is not kept.',
    deprecationReason: 'Only `agentTokenCreate` shows the value, as `tokenValue`.',
  })
  token(): string {
    return '';
  }
}

@ArgsType()
class AgentTokensArguments extends SizeArguments {
  @Field(() => Boolean, { ...optional, description: 'Only revoked tokens, or only valid ones; absent for both.' })
  revoked?: boolean | null;
}

@Resolver(() => Organization)
export class AgentTokensOfOrganizationResolver {
  @ReadBy(listAgentTokens)
  @FieldResolver(() => AgentTokenConnection, {
    ...optional,
    description: 'Tokens of the default cluster, newest first; none without a default cluster.',
  })
  async agentTokens(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => AgentTokensArguments) args: AgentTokensArguments,
  ) {
    const paging = stretchOf(args);
    context.requireScope(listAgentTokens.scope);
    if (organization.defaultClusterId === null) return connectionOfList<AgentTokenValue>([], args);
    const cluster = { id: organization.defaultClusterId };
    return connectionValue(
      await context.performInBatch(listAgentTokens, { cluster }, { revoked: which(args.revoked), paging }),
    );
  }
}

function which(revoked: boolean | null | undefined): 'no' | 'only' | 'also' {
  if (revoked == null) return 'also';
  return revoked ? 'only' : 'no';
}
