import { Field, InterfaceType } from 'type-graphql';
import { optional } from '../../server/options.js';
import type { ProviderValue } from './provider-value.js';

@InterfaceType({
  description: 'Source provider that hosts the repository of a pipeline.',
  resolveType: (provider: ProviderValue) => provider.typeName,
})
export abstract class RepositoryProvider {
  @Field(() => String, { description: 'Display name of the provider, such as `GitHub`.' })
  name!: string;

  @Field(() => String, { ...optional, description: "URL of the repository's page; null if the provider is unknown." })
  url!: string | null;
}
