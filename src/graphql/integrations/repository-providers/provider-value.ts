import { type ProviderId, providerIds } from '../../../domain/integrations/provider.js';
import {
  type ProviderSettings,
  type SettingValue,
  settingValue,
} from '../../../domain/integrations/provider-settings.js';
import { parseRepositoryUrl } from '../../../domain/pipelines/repository-url.js';
import type { ShownPipelineRow } from '../../../entities/database.js';
import { allSettings, storedName } from './settings-table.js';

/** Object type and name of each provider; any other provider is unknown. */
const shown: Record<ProviderId, { type: string; name: string }> = {
  github: { type: 'RepositoryProviderGithub', name: 'GitHub' },
  github_enterprise: { type: 'RepositoryProviderGithubEnterprise', name: 'GitHub Enterprise Server' },
  gitlab: { type: 'RepositoryProviderGitlab', name: 'GitLab' },
  gitlab_ee: { type: 'RepositoryProviderGitlabEnterprise', name: 'GitLab Self-Managed' },
  bitbucket: { type: 'RepositoryProviderBitbucket', name: 'Bitbucket Cloud' },
  bitbucket_server: { type: 'RepositoryProviderBitbucketServer', name: 'Bitbucket Server' },
  git: { type: 'RepositoryProviderUnknown', name: 'Git' },
};

/** The value behind a `RepositoryProvider` of any type. */
export interface ProviderValue {
  typeName: string;
  name: string;
  url: string | null;
  settings: SettingsValue;
  webhookUrl(): Promise<string | null>;
  /** Looked up when it is read. */
  readonly webhook: Promise<unknown>;
}

/** Fields of a provider that are loaded only if they are selected. */
export interface ProviderLookups {
  webhookUrl(): Promise<string | null>;
  webhook(): Promise<unknown>;
}

export type SettingsValue = Record<string, SettingValue>;

/** All settings by their names in GraphQL. One that was never set shows its default, and a flag is never null. */
function settingsValue(provider: ProviderId, stored: ProviderSettings): SettingsValue {
  return Object.fromEntries(
    Object.entries(allSettings).map(([name, kind]) => [
      name,
      settingValue(provider, stored, storedName(name)) ?? (kind === 'flag' ? false : null),
    ]),
  );
}

export function providerOf(pipeline: ShownPipelineRow, lookups: ProviderLookups): ProviderValue {
  const id = (providerIds as readonly string[]).includes(pipeline.providerId)
    ? (pipeline.providerId as ProviderId)
    : 'git';
  const { type, name } = shown[id];
  const url = parseRepositoryUrl(pipeline.repository);
  return {
    typeName: type,
    name,
    url: url?.host && id !== 'git' ? `https://${url.host}/${url.path}` : null,
    settings: settingsValue(id, pipeline.providerSettings as ProviderSettings),
    webhookUrl: () => lookups.webhookUrl(),
    get webhook() {
      return lookups.webhook();
    },
  };
}
