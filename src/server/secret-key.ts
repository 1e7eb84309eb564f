import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretKeys } from '../auth/secret-keys.js';
import type { Config } from './config.js';
import { ConfigError } from '../services/config-error.js';

/**
 * The keys that sign and encrypt: `SECRET_KEY` and `SECRET_KEY_PREVIOUS`, or, with the embedded database, one generated
 * into the data directory at the first start (mode 0600). Called under the directory lock, so one process writes it.
 */
export function readSecretKeys(
  config: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'databaseUrl' | 'dataDir'>,
): SecretKeys {
  return { current: config.secretKey ?? generatedKey(config), previous: config.secretKeyPrevious ?? null };
}

/** The keys of {@link readSecretKeys}; null, and none is made, where there is none yet. */
export function readExistingSecretKeys(config: Parameters<typeof readSecretKeys>[0]): SecretKeys | null {
  const isThere = config.secretKey !== undefined || existsSync(join(config.dataDir, 'secret-key'));
  return isThere ? readSecretKeys(config) : null;
}

function generatedKey(config: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (config.databaseUrl) throw new ConfigError('SECRET_KEY: required with DATABASE_URL');
  const path = join(config.dataDir, 'secret-key');
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  try {
    const generated = randomBytes(48).toString('base64url');
    writeFileSync(path, generated, { flag: 'wx', mode: 0o600 });
    return generated;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stored = readFileSync(path, 'utf8').trim();
  if (stored.length < 32)
    throw new ConfigError(
      `${path} does not hold a secret key; restore it, or remove it to have a new one made (what the old one ` +
        `signed is then void)`,
    );
  return stored;
}
