import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { scopesAmong } from '../../../domain/organizations/scopes.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { OrganizationRow } from '../../../entities/database.js';
import { listAccessTokens } from '../../../operations/organizations/api-tokens/list.js';
import type { AccessToken } from '../../../resources/organizations/api-tokens/own-token.js';
import { revokeTokenAccess } from '../../../operations/organizations/api-tokens/revoke-access.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionValue } from '../../connections/connection.js';
import { PageInfo } from '../../connections/page-info.js';
import type { GraphqlContext } from '../../context.js';
import { APIAccessTokenScopes } from '../../enums.js';
import { uuidOf } from '../../nodes/ids.js';
import { MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { looseList, optional } from '../../server/options.js';
import { Organization } from '../organization.js';
import { User } from '../user.js';
import { DateTime } from '../../scalars/date-time.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ObjectType({ description: 'An API token of a member, without its value.' })
export class OrganizationAPIAccessToken {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the token.' })
  id!: string;

  @Field(() => DateTime, { description: 'Time the token was created.' })
  createdAt!: Date;

  @Field(() => String, { ...optional, description: 'Description of the token; null without one.' })
  description!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time the token expires; null for never.' })
  expiresAt!: Date | null;
}

@Resolver(() => OrganizationAPIAccessToken)
export class OrganizationAPIAccessTokenResolver {
  @FieldResolver(() => [APIAccessTokenScopes], { description: 'Scopes of the token.' })
  scopes(@Root() token: AccessToken): string[] {
    return scopesAmong(token.scopes);
  }

  @FieldResolver(() => ID, { name: 'id', description: 'GraphQL ID of the token.' })
  nodeId(@Root() token: AccessToken): string {
    return encodeNodeId('APIAccessToken', token.id);
  }

  @FieldResolver(() => String, { ...optional, description: 'IP address that last used the token; null for none.' })
  ipAddress(@Root() token: AccessToken): string | null {
    return token.lastUsedIpAddress;
  }

  @FieldResolver(() => DateTime, {
    ...optional,
    description: 'Time the token was last used, to within a minute; null for never.',
  })
  lastAccessedAt(@Root() token: AccessToken): Date | null {
    return token.lastUsedAt;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who owns the token.' })
  owner(@Root() token: AccessToken, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, token.userId);
  }
}

@ObjectType({ description: 'An API token with its cursor.' })
export class OrganizationAPIAccessTokenEdge {
  @Field(() => String, { description: 'Cursor of the item, for `after` and `before`.' })
  cursor!: string;

  @Field(() => OrganizationAPIAccessToken, { ...optional, description: 'The API token.' })
  node!: unknown;
}

/** One of the few lists that are not counted on the wire. */
@ObjectType({ description: 'A page of API tokens.' })
export class OrganizationAPIAccessTokenConnection {
  @Field(() => [OrganizationAPIAccessTokenEdge], {
    ...looseList,
    description: 'API tokens of the page with their cursors.',
  })
  edges!: unknown[];

  @Field(() => [OrganizationAPIAccessToken], { ...looseList, description: 'API tokens of the page without cursors.' })
  nodes!: unknown[];

  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo;
}

@InputType({ description: 'API token whose access to an organization to revoke.' })
class OrganizationAPIAccessTokenRevokeMutationInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the token.' })
  apiAccessTokenId!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'The API token whose access was revoked.' })
class OrganizationAPIAccessTokenRevokeMutationPayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the token.' })
  revokedApiAccessTokenId!: string;
}

@Resolver(() => Organization)
export class OrganizationAPIAccessTokensResolver {
  @ReadBy(listAccessTokens)
  @FieldResolver(() => OrganizationAPIAccessTokenConnection, {
    description: 'API tokens of members with access to the organization, newest first, for administrators.',
  })
  async apiAccessTokens(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listAccessTokens,
        { organization: { id: organization.id } },
        { paging: stretchOf(args) },
      ),
    );
  }

  @Mutation(() => OrganizationAPIAccessTokenRevokeMutationPayload, {
    ...optional,
    description: 'Revokes the access of an API token to an organization; the token keeps working elsewhere.',
  })
  async organizationApiAccessTokenRevoke(
    @Arg('input', () => OrganizationAPIAccessTokenRevokeMutationInput, { description: 'API token and organization.' })
    input: OrganizationAPIAccessTokenRevokeMutationInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { token } = await context.command(revokeTokenAccess, {
      token: { organization: { id: uuidOf(input.organizationId, ['Organization']) }, id: input.apiAccessTokenId },
    });
    return payload(input, { revokedApiAccessTokenId: encodeNodeId('APIAccessToken', token.id) });
  }
}
