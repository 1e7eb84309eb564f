import { invalid } from '../../domain/problem.js';
import { defaultSettings, mergeProviderSettings, type ProviderSettings } from '../../domain/provider-settings.js';
import { type ProviderId, providerFromUrl } from '../../domain/provider.js';

export interface ProviderColumns {
  providerId: ProviderId;
  providerSettings: ProviderSettings;
}

/**
 * The provider a repository URL tells, with its settings: those it had (`current`, of the same provider) or the
 * defaults, and over them what a request gives. 422 on `providerSettings.<name>`, all problems at once.
 */
export function providerColumns(repository: string, current: { providerId: string; providerSettings: unknown } | null, given: Record<string, unknown> | null | undefined): ProviderColumns {
  const provider = providerFromUrl(repository);
  const defaults = defaultSettings(provider.id, provider.repository);
  // Settings of another provider may mean something else there: a pipeline that moves starts from the defaults.
  const kept = current?.providerId === provider.id ? { ...(current.providerSettings as ProviderSettings), repository: provider.repository } : defaults;
  const merged = mergeProviderSettings(provider.id, kept, given ?? {});
  if ('problems' in merged) throw invalid(merged.problems.map(({ key, message }) => ({ field: `providerSettings.${key}`, code: message })));
  return { providerId: provider.id, providerSettings: merged.settings };
}
