import { type ClassType, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { optional } from '../../server/options.js';
import { RepositoryProvider } from './provider-interface.js';
import type { ProviderValue } from './provider-value.js';
import { settingsTypes } from './settings.js';
import { RepositoryProviderGithubEnterpriseWebhook, RepositoryProviderGithubWebhook } from './webhook.js';

@Resolver(() => RepositoryProvider)
export class RepositoryProviderResolver {
  @FieldResolver(() => String, {
    ...optional,
    description: 'URL to which the provider sends webhooks; null if the viewer may not edit the pipeline.',
  })
  webhookUrl(@Root() provider: ProviderValue): Promise<string | null> {
    return provider.webhookUrl();
  }
}

/** Declares the type of one provider; `webhook` is the type of its webhook, where Slipway can create one. */
function providerType(name: string, settings: keyof typeof settingsTypes, description: string, webhook?: ClassType) {
  @ObjectType(name, { implements: RepositoryProvider, description })
  class Provider {
    @Field(() => settingsTypes[settings], { ...optional, description: 'Settings of the provider for this pipeline.' })
    settings!: unknown;
  }
  if (webhook)
    Field(() => webhook, {
      ...optional,
      description: 'Webhook created for the pipeline; null without one or if the viewer may not edit the pipeline.',
    })(Provider.prototype, 'webhook');
  return Provider;
}

/** All provider types. Some belong to no pipeline here and are declared because clients' fragments name them. */
export const providerTypes = [
  providerType('RepositoryProviderBeanstalk', 'Beanstalk', 'Beanstalk; no pipeline here has this provider.'),
  providerType('RepositoryProviderBitbucket', 'Bitbucket', 'Bitbucket Cloud.'),
  providerType(
    'RepositoryProviderBitbucketServer',
    'BitbucketServer',
    'Bitbucket Server, which customers run themselves.',
  ),
  providerType('RepositoryProviderCodebase', 'Codebase', 'Codebase; no pipeline here has this provider.'),
  providerType('RepositoryProviderCursorOrigin', 'CursorOrigin', 'Cursor Origin; no pipeline here has this provider.'),
  providerType('RepositoryProviderGithub', 'GitHub', 'GitHub.', RepositoryProviderGithubWebhook),
  providerType(
    'RepositoryProviderGithubEnterprise',
    'GitHubEnterprise',
    'GitHub Enterprise Server, which customers run themselves.',
    RepositoryProviderGithubEnterpriseWebhook,
  ),
  providerType('RepositoryProviderGitlab', 'Gitlab', 'GitLab.'),
  providerType(
    'RepositoryProviderGitlabCommunity',
    'Gitlab',
    'GitLab Community Edition, which customers run themselves.',
  ),
  providerType(
    'RepositoryProviderGitlabEnterprise',
    'Gitlab',
    'GitLab Enterprise Edition, which customers run themselves.',
  ),
  providerType('RepositoryProviderUnknown', 'Unknown', 'Any other Git host.'),
];
