import type { Config } from '../server/config.js';
import type { Settings } from '../server/config-file.js';

/** Variables that worker threads and libraries read from the environment themselves. */
const isReadElsewhere = (name: string) => name === 'LIMITS' || name.startsWith('OTEL_');

/** The settings of this process: its environment, completed from `slipway.config.yaml` in the working directory. */
export async function settingsHere(): Promise<Settings> {
  const { readSettings } = await import('../server/config-file.js');
  const settings = readSettings(process.env);
  for (const name of settings.origins.keys()) if (isReadElsewhere(name)) process.env[name] = settings.env[name];
  return settings;
}

/** Reads the configuration of this process for a command, and writes its warnings to stderr; throws `ConfigError`. */
export async function readConfigurationOfCommand(): Promise<Config> {
  const config = await readConfiguration();
  for (const warning of config.warnings) process.stderr.write(`warning: ${warning}\n`);
  return config;
}

/**
 * Reads the configuration of this process; throws `ConfigError`.
 * @param replaced variables that a command sets whatever the operator did, from the settings so far
 */
export async function readConfiguration(
  replaced: (env: Settings['env']) => Settings['env'] = () => ({}),
): Promise<Config> {
  const { readConfig } = await import('../server/config.js');
  const { env, origins } = await settingsHere();
  return readConfig({ ...env, ...replaced(env) }, origins);
}
