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
import { createOwnToken } from '../../../operations/organizations/api-tokens/create-own.js';
import { listTokenOrganizations } from '../../../operations/organizations/api-tokens/list-organizations.js';
import { listOwnTokens } from '../../../operations/organizations/api-tokens/list-own.js';
import { revokeOwnToken } from '../../../operations/organizations/api-tokens/revoke-own.js';
import type { AccessToken } from '../../../resources/organizations/api-tokens/own-token.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { APIAccessTokenScopes } from '../../enums.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { Organization } from '../organization.js';
import { Viewer } from '../viewer.js';

@ObjectType({ description: 'An API token of the viewer, without its value.' })
export class ViewerAPIAccessToken {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the token.' })
  id!: string;

  @Field(() => String, { description: 'Description of the token.' })
  description!: string;

  @Field(() => DateTime, { description: 'Time the token was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time the token expires; null for never.' })
  expiresAt!: Date | null;
}

export const { Connection: ViewerAPIAccessTokenConnection, Edge: ViewerAPIAccessTokenEdge } = connectionOf(
  'ViewerAPIAccessToken',
  () => ViewerAPIAccessToken,
);

@Resolver(() => ViewerAPIAccessToken)
export class ViewerAPIAccessTokenResolver {
  @FieldResolver(() => [APIAccessTokenScopes], { description: 'Scopes of the token.' })
  scopes(@Root() token: AccessToken): string[] {
    return scopesAmong(token.scopes);
  }

  @FieldResolver(() => ID, { name: 'id', description: 'GraphQL ID of the token.' })
  nodeId(@Root() token: AccessToken): string {
    return encodeNodeId('APIAccessToken', token.id);
  }

  @FieldResolver(() => DateTime, {
    ...optional,
    description: 'Time the token was last used, to within a minute; null for never.',
  })
  lastAccessedAt(@Root() token: AccessToken): Date | null {
    return token.lastUsedAt;
  }

  @FieldResolver(() => String, { ...optional, description: 'IP address that last used the token; null for none.' })
  ipAddress(@Root() token: AccessToken): string | null {
    return token.lastUsedIpAddress;
  }

  @FieldResolver(() => [Organization], {
    ...optional,
    description: 'Organizations that the token may access; null for all organizations of the viewer, later ones too.',
  })
  async organizations(@Root() token: AccessToken, @Ctx() context: GraphqlContext) {
    if (token.allOrganizations) return null;
    return context.performInBatch(listTokenOrganizations, { token: { id: token.id } });
  }
}

@InputType({ description: 'API token to create.' })
class APIAccessTokenCreateInput extends MutationInput {
  @Field(() => String, { description: 'Purpose of the token.' })
  description!: string;

  @Field(() => [APIAccessTokenScopes], { description: 'Scopes of the token.' })
  scopes!: string[];

  @Field(() => [ID], {
    ...optional,
    description: 'GraphQL IDs or UUIDs of organizations; null for all organizations of the viewer, later ones too.',
  })
  organizationIds?: string[] | null;

  @Field(() => DateTime, { ...optional, description: 'Time the token expires; null for never.' })
  expiresAt?: Date | null;
}

@ObjectType({ description: 'The new API token.' })
class APIAccessTokenCreatePayload extends MutationPayload {
  @Field(() => ViewerAPIAccessToken, { description: 'The API token.' })
  apiAccessToken!: unknown;

  @Field(() => String, { description: 'Value of the token; shown only here.' })
  tokenValue!: string;
}

@InputType({ description: 'API token to revoke.' })
class APIAccessTokenRevokeInput extends IdInput {}

@ObjectType({ description: 'The API token that was revoked.' })
class APIAccessTokenRevokePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the token.' })
  revokedApiAccessTokenId!: string;
}

@Resolver(() => Viewer)
export class ViewerAPIAccessTokensResolver {
  @FieldResolver(() => ViewerAPIAccessTokenConnection, {
    ...optional,
    description: 'API tokens of the viewer, newest first. Only for people who are signed in to the console.',
  })
  async apiAccessTokens(@Ctx() context: GraphqlContext, @Args(() => PageArguments) args: PageArguments) {
    return connectionValue(await context.perform(listOwnTokens, { paging: stretchOf(args) }));
  }

  @Mutation(() => APIAccessTokenCreatePayload, {
    ...optional,
    description: 'Creates an API token of the viewer. Only for people who are signed in to the console.',
  })
  async apiAccessTokenCreate(
    @Arg('input', () => APIAccessTokenCreateInput, { description: 'API token to create.' })
    input: APIAccessTokenCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { description, scopes, organizationIds = null, expiresAt = null } = input;
    const { token, value } = await context.command(
      createOwnToken,
      { description, scopes, organizations: organizationIds, expiresAt },
      { organizations: 'organizationIds' },
    );
    return payload(input, { apiAccessToken: token, tokenValue: value });
  }

  @Mutation(() => APIAccessTokenRevokePayload, {
    ...optional,
    description: 'Revokes an API token of the viewer. Only for people who are signed in to the console.',
  })
  async apiAccessTokenRevoke(
    @Arg('input', () => APIAccessTokenRevokeInput, { description: 'API token to revoke.' })
    input: APIAccessTokenRevokeInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { token } = await context.command(revokeOwnToken, { id: input.id });
    return payload(input, { revokedApiAccessTokenId: encodeNodeId('APIAccessToken', token.id) });
  }
}
