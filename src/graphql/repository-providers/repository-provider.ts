import { type ClassType, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { optional } from '../options.js';
import { RepositoryProvider } from './provider-interface.js';
import type { ProviderValue } from './provider-value.js';
import { settingsTypes } from './settings.js';
import { RepositoryProviderGithubEnterpriseWebhook, RepositoryProviderGithubWebhook } from './webhook.js';

@Resolver(() => RepositoryProvider)
export class RepositoryProviderResolver {
  @FieldResolver(() => String, { ...optional, description: 'Where the provider sends its deliveries; only for those who may edit the pipeline.' })
  webhookUrl(@Root() provider: ProviderValue): Promise<string | null> {
    return provider.webhookUrl();
  }
}

/** One provider type: they differ in nothing but their name, the type of their settings, and that of their webhook where they have one. */
function providerType(name: string, settings: keyof typeof settingsTypes, description: string, webhook?: ClassType) {
  @ObjectType(name, { implements: RepositoryProvider, description })
  class Provider {
    @Field(() => settingsTypes[settings], optional)
    settings!: unknown;
  }
  if (webhook) Field(() => webhook, { ...optional, description: 'The webhook made for the pipeline; only for those who may edit it.' })(Provider.prototype, 'webhook');
  return Provider;
}

/** Every provider type; those no pipeline here can have are part of the contract all the same. */
export const providerTypes = [
  providerType('RepositoryProviderBeanstalk', 'Beanstalk', 'Beanstalk.'),
  providerType('RepositoryProviderBitbucket', 'Bitbucket', 'Bitbucket Cloud.'),
  providerType('RepositoryProviderBitbucketServer', 'BitbucketServer', 'Bitbucket on a server of one\'s own.'),
  providerType('RepositoryProviderCodebase', 'Codebase', 'Codebase.'),
  providerType('RepositoryProviderGithub', 'GitHub', 'GitHub.', RepositoryProviderGithubWebhook),
  providerType('RepositoryProviderGithubEnterprise', 'GitHubEnterprise', 'GitHub on a server of one\'s own.', RepositoryProviderGithubEnterpriseWebhook),
  providerType('RepositoryProviderGitlab', 'Gitlab', 'GitLab.'),
  providerType('RepositoryProviderGitlabCommunity', 'Gitlab', 'GitLab on a server of one\'s own, community edition.'),
  providerType('RepositoryProviderGitlabEnterprise', 'Gitlab', 'GitLab on a server of one\'s own.'),
  providerType('RepositoryProviderUnknown', 'Unknown', 'A host that is none of the others.'),
];
