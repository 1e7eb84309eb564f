import type { Config } from './config.js';
import { ConfigError } from '../services/config-error.js';
import { checkReplica, checkServer } from '../database/check-server.js';
import { DatabaseStartError } from '../database/start-error.js';
import type { Logger, SingleSignOn } from '../services/services.js';
import { problemOfStorage } from '../storage/start-problem.js';
import type { ObjectStorage } from '../storage/storage.js';

/** What a configuration names, for {@link checkStart}. */
export interface NamedServices {
  /** Null where nothing is stored, as in commands that end at once. */
  storage: ObjectStorage | null;
  singleSignOn: SingleSignOn | undefined;
  log: Logger;
}

/**
 * Tries what the configuration names before anything is changed: the database server, storage, and single sign-on.
 * Throws {@link ConfigError} with one line for each that cannot be used as it is configured. Faults that pass, or hold
 * up only a part of the product, are warnings: a full disk, and a sign-in provider that does not answer at present.
 */
export async function checkStart(config: Config, { storage, singleSignOn, log }: NamedServices): Promise<void> {
  const problems = await Promise.all([
    config.databaseUrl ? problemOfDatabase(config.databaseUrl) : null,
    config.databaseUrl && config.databaseReadUrl && storage
      ? problemOfReplica(config.databaseReadUrl, config.databaseUrl, log)
      : null,
    storage ? problemOf(storage, config, log) : null,
    singleSignOn && config.singleSignOn ? problemOfSignOn(singleSignOn, config.singleSignOn.issuer, log) : null,
  ]);
  const lines = problems.filter((problem) => problem !== null);
  if (lines.length === 1) throw new ConfigError(lines[0]);
  if (lines.length > 1)
    throw new ConfigError(`the configuration cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

async function problemOfDatabase(url: string): Promise<string | null> {
  try {
    await checkServer(url);
    return null;
  } catch (error) {
    if (error instanceof DatabaseStartError) return error.message;
    throw error;
  }
}

/** A replica that is no replica prevents the start; one that is away is left out until it is back. */
async function problemOfReplica(url: string, primary: string, log: Logger): Promise<string | null> {
  const { problem, away } = await checkReplica(url, primary);
  if (problem === null || !away) return problem;
  log.warn({}, `${problem}. Lists are read on DATABASE_URL until it can be read`);
  return null;
}

async function problemOf(storage: ObjectStorage, { storageUrl, dataDir }: Config, log: Logger): Promise<string | null> {
  const problem = await problemOfStorage(storage, storageUrl, { dataDir });
  if (!problem?.full) return problem?.message ?? null;
  log.warn({}, problem.message);
  return null;
}

async function problemOfSignOn(singleSignOn: SingleSignOn, issuer: string, log: Logger): Promise<string | null> {
  const trouble = await singleSignOn.check();
  if (trouble === null) return null;
  const document = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  if (trouble.lasting)
    return (
      `OIDC_ISSUER: ${document} cannot be used: ${trouble.reason} (the variable must be the \`issuer\` ` +
      `that this document names)`
    );
  log.warn(
    {},
    `OIDC_ISSUER: ${document} cannot be read: ${trouble.reason}. Nobody can sign in by single sign-on until it can`,
  );
  return null;
}
