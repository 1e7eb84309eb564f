import { invalid } from '../../domain/problem.js';
import {
  defaultSettings,
  mergeProviderSettings,
  type ProviderSettings,
} from '../../domain/integrations/provider-settings.js';
import { type ProviderId, providerFromUrl } from '../../domain/integrations/provider.js';

export interface ProviderColumns {
  providerId: ProviderId;
  providerSettings: ProviderSettings;
}

/**
 * Returns the provider of a repository URL with its settings: those of `current` if the provider is the same, else the
 * defaults; the request overrides both. Throws 422 on `providerSettings.<name>` with all problems.
 */
export function providerColumns(
  repository: string,
  current: { providerId: string; providerSettings: unknown } | null,
  input: Record<string, unknown> | null | undefined,
): ProviderColumns {
  const provider = providerFromUrl(repository);
  const defaults = defaultSettings(provider.id, provider.repository);
  // Settings of another provider may mean something else there: a pipeline that moves starts from the defaults.
  const currentSettings =
    current?.providerId === provider.id
      ? { ...(current.providerSettings as ProviderSettings), repository: provider.repository }
      : defaults;
  const merged = mergeProviderSettings(provider.id, currentSettings, input ?? {});
  if ('problems' in merged)
    throw invalid(merged.problems.map(({ key, message }) => ({ field: `providerSettings.${key}`, code: message })));
  return { providerId: provider.id, providerSettings: merged.settings };
}
