import { Arg, Args, Ctx, Field, FieldResolver, ID, InputType, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import type { OrganizationRow } from '../../entities/database.js';
import { listAccessTokens } from '../../operations/tokens/list.js';
import type { AccessToken } from '../../operations/tokens/own-token.js';
import { revokeTokenAccess } from '../../operations/tokens/revoke-access.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import { PageInfo } from '../connections/page-info.js';
import type { GraphqlContext } from '../context.js';
import { APIAccessTokenScopes } from '../enums.js';
import { uuidOf } from '../ids.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { looseList, optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ description: 'An API token of a member, without its value.' })
export class OrganizationAPIAccessToken {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Null where it never does.' })
  expiresAt!: Date | null;

  @Field(() => [APIAccessTokenScopes])
  scopes!: string[];
}

@Resolver(() => OrganizationAPIAccessToken)
export class OrganizationAPIAccessTokenResolver {
  @FieldResolver(() => ID, { name: 'id' })
  nodeId(@Root() token: AccessToken): string {
    return encodeNodeId('APIAccessToken', token.id);
  }

  @FieldResolver(() => String, { ...optional, description: 'Where it was last used from: always null, since uses are not kept.' })
  ipAddress(): null {
    return null;
  }

  @FieldResolver(() => DateTime, { ...optional, description: 'When it was last used: always null, since uses are not kept.' })
  lastAccessedAt(): null {
    return null;
  }

  @FieldResolver(() => User, optional)
  owner(@Root() token: AccessToken, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, token.userId);
  }
}

@ObjectType({ description: 'An item of a list with its place in it.' })
export class OrganizationAPIAccessTokenEdge {
  @Field(() => String, { description: 'The place in the list, for `after` and `before`.' })
  cursor!: string;

  @Field(() => OrganizationAPIAccessToken, optional)
  node!: unknown;
}

/** One of the few lists that are not counted on the wire (graphql-facts 1.3). */
@ObjectType({ description: 'A page of a list.' })
export class OrganizationAPIAccessTokenConnection {
  @Field(() => [OrganizationAPIAccessTokenEdge], looseList)
  edges!: unknown[];

  @Field(() => [OrganizationAPIAccessToken], looseList)
  nodes!: unknown[];

  @Field(() => PageInfo)
  pageInfo!: PageInfo;
}

@InputType({ description: 'The API token whose access an organization takes back.' })
class OrganizationAPIAccessTokenRevokeMutationInput extends MutationInput {
  @Field(() => ID, { description: 'The id or uuid of the token.' })
  apiAccessTokenId!: string;

  @Field(() => ID, { description: 'The id or uuid of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'Whose access was taken back.' })
class OrganizationAPIAccessTokenRevokeMutationPayload extends MutationPayload {
  @Field(() => ID)
  revokedApiAccessTokenId!: string;
}

@Resolver(() => Organization)
export class OrganizationAPIAccessTokensResolver {
  @FieldResolver(() => OrganizationAPIAccessTokenConnection, { description: 'API tokens of members that work here, for administrators, newest first.' })
  async apiAccessTokens(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.perform(listAccessTokens, { organization: { id: organization.id }, paging: stretchOf(given) }));
  }

  @Mutation(() => OrganizationAPIAccessTokenRevokeMutationPayload, { ...optional, description: 'Takes the access of an API token to an organization back; elsewhere it goes on working.' })
  async organizationApiAccessTokenRevoke(
    @Arg('input', () => OrganizationAPIAccessTokenRevokeMutationInput) input: OrganizationAPIAccessTokenRevokeMutationInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { token } = await context.command(revokeTokenAccess, { token: { organization: { id: uuidOf(input.organizationId, ['Organization']) }, id: input.apiAccessTokenId } });
    return payload(input, { revokedApiAccessTokenId: encodeNodeId('APIAccessToken', token.id) });
  }
}
