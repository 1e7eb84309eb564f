import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrganizationRow } from '../../../entities/database.js';
import { getProviderConnection } from '../../../operations/integrations/provider-connections/get.js';
import { listProviderConnections } from '../../../operations/integrations/provider-connections/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { optional } from '../../server/options.js';
import { Organization } from '../../organizations/organization.js';
import { DateTime } from '../../scalars/date-time.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ObjectType('ProviderAccess', {
  description: 'Credential with which an organization calls a source provider; its token is never shown.',
})
export class ProviderConnection {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the connection.' })
  id!: string;

  @Field(() => String, { description: 'Provider: `github` or `github_enterprise`.' })
  provider!: string;

  @Field(() => String, { description: 'Host of the repositories, such as `github.com`.' })
  host!: string;

  @Field(() => String, { description: "Root URL of the provider's API." })
  apiUrl!: string;

  @Field(() => DateTime, { description: 'Time the connection was created.' })
  createdAt!: Date;
}

export const { Connection: ProviderAccessConnection } = connectionOf('ProviderAccess', () => ProviderConnection);

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
