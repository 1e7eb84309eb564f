import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrganizationRow } from '../../entities/database.js';
import { getProviderConnection } from '../../operations/provider-connections/get.js';
import { listProviderConnections } from '../../operations/provider-connections/list.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType('ProviderAccess', { description: 'Access of an organization to a source provider; its token is shown to nobody.' })
export class ProviderConnection {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'github or github_enterprise.' })
  provider!: string;

  @Field(() => String, { description: 'The host that repositories are on.' })
  host!: string;

  @Field(() => String)
  apiUrl!: string;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: ProviderAccessConnection } = connectionOf('ProviderAccess', () => ProviderConnection);

@Resolver(() => Organization)
export class ProviderConnectionResolver {
  @FieldResolver(() => ProviderConnection, { ...optional, description: 'A connection to a source provider, by its uuid.' })
  async providerConnection(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Arg('uuid', () => ID) id: string) {
    return (await context.find(getProviderConnection, { connection: { organization: organization.slug, id } }))?.connection ?? null;
  }

  @FieldResolver(() => ProviderAccessConnection, { description: 'Connections to source providers, newest first.' })
  async providerConnections(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.perform(listProviderConnections, { organization: { id }, paging: stretchOf(given) }));
  }
}
