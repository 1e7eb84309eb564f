import {
  type ClassType,
  Ctx,
  Field,
  FieldResolver,
  Int,
  InterfaceType,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import type { OrganizationRow, ProviderConnectionRow } from '../../../entities/database.js';
import { limits } from '../../../domain/limits/limits.js';
import { listProviderConnections } from '../../../operations/integrations/provider-connections/list.js';
import type { GraphqlContext } from '../../context.js';
import { Node } from '../../nodes/node.js';
import { Organization } from '../../organizations/organization.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ObjectType({ description: 'Requests that a source provider allows in a period.' })
export class GitHubRateLimit {
  @Field(() => Int, { description: 'Requests that are allowed in a period.' })
  limit!: number;

  @Field(() => Int, { description: 'Requests that are left.' })
  remaining!: number;

  @Field(() => DateTime, { description: 'Time from which all of them are allowed again.' })
  resetAt!: Date;

  @Field(() => Int, { description: 'Requests that were made.' })
  used!: number;
}

@ObjectType({ description: 'Rate limit of a connection to a source provider.' })
export class OrganizationRepositoryProviderGitHubRateLimit {
  @Field(() => GitHubRateLimit, {
    ...optional,
    description: 'The limit as the provider last told it; null if it never did.',
  })
  mostRecent!: GitHubRateLimit | null;
}

/** Type of a connection in the published schema, which has types for GitHub only; null for any other. */
export function repositoryProviderType({ provider, host }: Pick<ProviderConnectionRow, 'provider' | 'host'>) {
  if (provider === 'github' || (provider === 'github_app' && host === 'github.com'))
    return 'OrganizationRepositoryProviderGitHub';
  return provider === 'github_enterprise' || provider === 'github_app'
    ? 'OrganizationRepositoryProviderGitHubEnterpriseServer'
    : null;
}

@InterfaceType({
  description: 'A source provider that an organization is connected to.',
  resolveType: (row: ProviderConnectionRow) => repositoryProviderType(row) ?? undefined,
})
export abstract class OrganizationRepositoryProvider {
  @Field(() => String, { name: 'name', description: 'Host of the repositories, such as `github.com`.' })
  host!: string;
}

@ObjectType({
  implements: [OrganizationRepositoryProvider, Node],
  description: 'A connection of an organization to GitHub.',
})
export class OrganizationRepositoryProviderGitHub {}

@ObjectType({
  implements: [OrganizationRepositoryProvider, Node],
  description: 'A connection of an organization to a GitHub Enterprise Server.',
})
export class OrganizationRepositoryProviderGitHubEnterpriseServer {
  @Field(() => String, { ...optional, name: 'url', description: "Root URL of the server's API." })
  apiUrl!: string | null;
}

/** Declares the rate limit of a type of connection. */
function rateLimitOf(type: ClassType) {
  @Resolver(() => type)
  class RateLimitResolver {
    @FieldResolver(() => OrganizationRepositoryProviderGitHubRateLimit, {
      ...optional,
      description: 'Rate limit of the connection.',
    })
    rateLimit(@Root() { rateLimit }: ProviderConnectionRow): OrganizationRepositoryProviderGitHubRateLimit {
      return { mostRecent: rateLimit && { ...rateLimit, resetAt: new Date(rateLimit.resetAt) } };
    }
  }
  return RateLimitResolver;
}

const rateLimitResolvers = [
  rateLimitOf(OrganizationRepositoryProviderGitHub),
  rateLimitOf(OrganizationRepositoryProviderGitHubEnterpriseServer),
];

@Resolver(() => Organization)
class RepositoryProvidersOfOrganizationResolver {
  @ReadBy(listProviderConnections)
  @FieldResolver(() => [OrganizationRepositoryProvider], {
    nullable: 'itemsAndList',
    description:
      'Connections of the organization to GitHub, newest first; `providerConnections` has those to all hosts.',
  })
  async repositoryProviders(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext) {
    const paging = { first: limits.connectionMax };
    const { rows } = await context.performInBatch(listProviderConnections, { organization: { id } }, { paging });
    return rows.filter((row) => repositoryProviderType(row) !== null);
  }
}

export const repositoryProviderResolvers = [RepositoryProvidersOfOrganizationResolver, ...rateLimitResolvers];

export const repositoryProviderTypes = [
  OrganizationRepositoryProviderGitHub,
  OrganizationRepositoryProviderGitHubEnterpriseServer,
];
