import { Field, InterfaceType } from 'type-graphql';
import { optional } from '../options.js';
import type { ProviderValue } from './provider-value.js';

@InterfaceType({ description: 'Where repositories are hosted.', resolveType: (provider: ProviderValue) => provider.typeName })
export abstract class RepositoryProvider {
  @Field(() => String)
  name!: string;

  @Field(() => String, { ...optional, description: 'The page of the repository.' })
  url!: string | null;
}
