import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config.js';

/**
 * The key that signs and encrypts: `SECRET_KEY`, or, with the embedded database, one generated into the data
 * directory at the first start (mode 0600). Called under the directory lock, so one process writes it.
 */
export function readSecretKey(config: Pick<Config, 'secretKey' | 'databaseUrl' | 'dataDir'>): string {
  if (config.secretKey) return config.secretKey;
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
  const kept = readFileSync(path, 'utf8').trim();
  if (kept.length < 32) throw new ConfigError(`${path} does not hold a secret key; restore it, or remove it to have a new one made (what the old one signed is then void)`);
  return kept;
}
