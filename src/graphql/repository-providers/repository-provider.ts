import { Field, FieldResolver, InterfaceType, ObjectType, Resolver, Root } from 'type-graphql';
import { optional } from '../options.js';
import type { ProviderValue } from './provider-value.js';
import { settingsTypes } from './settings.js';

@InterfaceType({ description: 'Where repositories are hosted.', resolveType: (provider: ProviderValue) => provider.typeName })
export abstract class RepositoryProvider {
  @Field(() => String)
  name!: string;

  @Field(() => String, { ...optional, description: 'The page of the repository.' })
  url!: string | null;
}

@Resolver(() => RepositoryProvider)
export class RepositoryProviderResolver {
  @FieldResolver(() => String, { ...optional, description: 'Where the provider sends its deliveries; only for those who may edit the pipeline.' })
  webhookUrl(@Root() provider: ProviderValue): Promise<string | null> {
    return provider.webhookUrl();
  }
}

/** One provider type: they differ in nothing but their name and the type of their settings. */
function providerType(name: string, settings: keyof typeof settingsTypes, description: string) {
  @ObjectType(name, { implements: RepositoryProvider, description })
  class Provider {
    @Field(() => settingsTypes[settings], optional)
    settings!: unknown;
  }
  return Provider;
}

/** Every provider type; those no pipeline here can have are part of the contract all the same. */
export const providerTypes = [
  providerType('RepositoryProviderBeanstalk', 'Beanstalk', 'Beanstalk.'),
  providerType('RepositoryProviderBitbucket', 'Bitbucket', 'Bitbucket Cloud.'),
  providerType('RepositoryProviderBitbucketServer', 'BitbucketServer', 'Bitbucket on a server of one\'s own.'),
  providerType('RepositoryProviderCodebase', 'Codebase', 'Codebase.'),
  providerType('RepositoryProviderGithub', 'GitHub', 'GitHub.'),
  providerType('RepositoryProviderGithubEnterprise', 'GitHubEnterprise', 'GitHub on a server of one\'s own.'),
  providerType('RepositoryProviderGitlab', 'Gitlab', 'GitLab.'),
  providerType('RepositoryProviderGitlabCommunity', 'Gitlab', 'GitLab on a server of one\'s own, community edition.'),
  providerType('RepositoryProviderGitlabEnterprise', 'Gitlab', 'GitLab on a server of one\'s own.'),
  providerType('RepositoryProviderUnknown', 'Unknown', 'A host that is none of the others.'),
];
