import type { Config } from '../server/config.js';
import type { Settings } from '../server/config-file.js';

interface Setting {
  name: string;
  /** Null where it is not set and has no default; {@link hidden} for a secret. */
  value: unknown;
  source: 'environment' | 'file' | 'default';
  /** Place in the file, as `file:line:column`. */
  origin?: string;
}

const hidden = '(hidden)';

/** Every setting with its value and where that comes from; throws `ConfigError` for settings that are wrong. */
export async function describeSettings({ env, origins, file }: Settings) {
  const { readConfig } = await import('../server/config.js');
  const { variableNames } = await import('../server/variables.js');
  const config = readConfig(env, origins);
  const telemetry = Object.keys(env).filter((name) => name.startsWith('OTEL_') && env[name]);
  const names = [...variableNames.supported, ...telemetry.sort()];
  const settings: Setting[] = [];
  for (const name of names) settings.push(await settingOf(name, env[name], origins.get(name), config));
  return { file, settings, warnings: config.warnings };
}

async function settingOf(
  name: string,
  text: string | undefined,
  origin: string | undefined,
  config: Config,
): Promise<Setting> {
  const { defaultOf, secretVariables } = await import('../server/variables.js');
  const isSecret = secretVariables.has(name) || /(PASSWORD|SECRET|TOKEN|HEADERS)/.test(name);
  if (text) {
    const value = isSecret ? withoutCredentials(text) : text;
    return origin === undefined ? { name, value, source: 'environment' } : { name, value, source: 'file', origin };
  }
  const value = derived[name]?.(config) ?? defaultOf(name) ?? null;
  return { name, value: value instanceof Map ? null : value, source: 'default' };
}

/** Defaults that follow from other settings or the machine. */
const derived: Partial<Record<string, (config: Config) => unknown>> = {
  BASE_URL: (config) => config.baseUrl,
  STORAGE_URL: (config) => `file:${config.dataDir}/objects`,
  SECRET_KEY: (config) => `(generated into ${config.dataDir}/secret-key)`,
  DISK_RESERVE: () => '1g',
  DATABASE_POOL_SIZE: (config) => config.databasePoolSize,
  GRAPHQL_POINTS_ORGANIZATION: (config) => config.graphqlPointsOrganization,
  GRAPHQL_POINTS_USER: (config) => config.graphqlPointsUser,
  REPLY_MEMORY_MB: (config) => Math.floor(config.replyMemoryBytes / (1024 * 1024)),
};

/** A secret URL with its host, so that it says where it leads, and nothing that opens it; other secrets not at all. */
function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return hidden;
  const url = new URL(text);
  if (url.host === '') return hidden;
  const path = url.pathname === '/' ? '' : url.pathname;
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : ':…'}@`;
  return `${url.protocol}//${user}${url.host}${path}${url.search === '' ? '' : '?…'}`;
}

/** The settings as a table: name, value, source. */
export function textOf(settings: Setting[], warnings: readonly string[]): string {
  const name = Math.max(...settings.map((setting) => setting.name.length));
  const shown = settings.map(({ value }) => shownValue(value));
  const value = Math.min(60, Math.max(...shown.map((text) => text.length)));
  return [
    ...settings.map((setting, index) =>
      [setting.name.padEnd(name), (shown[index] ?? '').padEnd(value), setting.origin ?? setting.source].join('  '),
    ),
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join('\n');
}

function shownValue(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-';
  return Array.isArray(value) ? value.join(',') : String(value);
}
