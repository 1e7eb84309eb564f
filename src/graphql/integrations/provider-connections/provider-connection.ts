import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrganizationRow, ProviderConnectionRow } from '../../../entities/database.js';
import { getProviderConnection } from '../../../operations/integrations/provider-connections/get.js';
import { listProviderConnections } from '../../../operations/integrations/provider-connections/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { optional } from '../../server/options.js';
import { Organization } from '../../organizations/organization.js';
import { DateTime } from '../../scalars/date-time.js';
import { webUrls } from '../../../services/web-urls.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ObjectType('ProviderAccess', {
  description: 'Credential with which an organization calls a source provider; its token is never shown.',
})
export class ProviderConnection {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the connection.' })
  id!: string;

  @Field(() => String, {
    description:
      'Kind of the connection: `github_app`, `github`, `github_enterprise`, `gitlab`, `bitbucket`, ' +
      '`bitbucket_server` or `gitea`.',
  })
  provider!: string;

  @Field(() => String, { description: 'Host of the repositories, such as `github.com`.' })
  host!: string;

  @Field(() => String, { description: "Root URL of the provider's API." })
  apiUrl!: string;

  @Field(() => String, {
    ...optional,
    description: 'Account of the token, where the provider wants both; null otherwise.',
  })
  username!: string | null;

  @Field(() => ID, { ...optional, description: 'ID of the App; null for a token.' })
  appId!: string | null;

  @Field(() => DateTime, {
    ...optional,
    name: 'failingSince',
    description: 'Time since which the provider refuses the connection; null while it works.',
  })
  failingSinceAt!: Date | null;

  @Field(() => String, {
    ...optional,
    description: 'Last refusal of a commit status, in the words of the provider; null if there was none.',
  })
  lastError!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time of the last refusal; null if there was none.' })
  lastErrorAt!: Date | null;

  @Field(() => DateTime, { description: 'Time the connection was created.' })
  createdAt!: Date;
}

export const { Connection: ProviderAccessConnection } = connectionOf('ProviderAccess', () => ProviderConnection);

@Resolver(() => ProviderConnection)
export class ProviderConnectionFieldsResolver {
  @FieldResolver(() => String, {
    description: 'Name of the connection; the host of the repositories unless it has another.',
  })
  name(@Root() { name, host }: ProviderConnectionRow): string {
    return name ?? host;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether webhooks made through the connection share a secret.',
  })
  hasWebhookSecret(@Root() { webhookSecret }: ProviderConnectionRow): boolean {
    return webhookSecret !== null;
  }

  @FieldResolver(() => String, {
    name: 'webhookURL',
    description:
      'URL that an App, group or organization at the provider delivers to for all of its repositories; deliveries ' +
      'must be signed with the secret of the connection.',
  })
  webhookUrl(@Root() { id }: ProviderConnectionRow, @Ctx() { baseUrl }: GraphqlContext): string {
    return webUrls.connectionWebhook(baseUrl, id);
  }
}

@Resolver(() => Organization)
export class ProviderConnectionResolver {
  @ReadBy(getProviderConnection)
  @FieldResolver(() => ProviderConnection, {
    ...optional,
    description: 'A connection to a source provider by its UUID; null if absent or hidden.',
  })
  async providerConnection(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the connection.' }) id: string,
  ) {
    return (
      (await context.findInBatch(getProviderConnection, { connection: { organization: organization.slug, id } }))
        ?.connection ?? null
    );
  }

  @ReadBy(listProviderConnections)
  @FieldResolver(() => ProviderAccessConnection, { description: 'Connections to source providers, newest first.' })
  async providerConnections(
    @Root() { id }: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listProviderConnections, { organization: { id } }, { paging: stretchOf(args) }),
    );
  }
}
