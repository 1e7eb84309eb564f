import { AgentHttpError } from '../http.js';
import type { JobClient } from './job-client.js';

/** A secret the step asks for: its key at the server, and the variable it becomes. */
export interface StepSecret {
  key: string;
  variable: string;
}

/**
 * Reads `step.secrets` in its three shapes: a list of names, a list of
 * `{key, environment_variable?}`, or a map from variable to key. Anything else is no secret.
 */
export function stepSecrets(secrets: unknown): StepSecret[] {
  if (Array.isArray(secrets)) return secrets.flatMap(listedSecret);
  if (typeof secrets !== 'object' || secrets === null) return [];
  return Object.entries(secrets).flatMap(([variable, key]) => (typeof key === 'string' ? [{ key, variable }] : []));
}

/**
 * Fetches all secrets at once.
 * @returns the variables to add
 * @throws AgentHttpError if one is not available
 */
export async function fetchSecrets(
  client: JobClient,
  secrets: readonly StepSecret[],
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const values = await Promise.all(
    secrets.map(async ({ key, variable }) => {
      try {
        return [variable, await client.secret(key, signal)] as const;
      } catch (error) {
        if (!(error instanceof AgentHttpError)) throw error;
        throw new AgentHttpError(`secret ${key}: ${error.message}`, error.failure, error.status);
      }
    }),
  );
  return Object.fromEntries(values);
}

function listedSecret(secret: unknown): StepSecret[] {
  if (typeof secret === 'string') return [{ key: secret, variable: secret }];
  const { key, environment_variable: variable } = (secret ?? {}) as { key?: unknown; environment_variable?: unknown };
  if (typeof key !== 'string') return [];
  return [{ key, variable: typeof variable === 'string' && variable !== '' ? variable : key }];
}
