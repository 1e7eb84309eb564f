import type { PipelineDocument, Plain } from '../pipeline-upload/pipeline-text.js';
import { canonicalJson, isPlainObject, signedFieldsOf, StepFormError } from './canonical-step.js';
import { type Key, signDetached } from './key-set.js';

/** Names of variables of the pipeline among the signed fields. */
export const variablePrefix = 'env::';

/** The bytes that a signature is made of. */
export function signedPayload(algorithm: string, values: { [field: string]: Plain }): Uint8Array {
  return Buffer.from(canonicalJson({ alg: algorithm, values }));
}

/**
 * Signs the command steps of a pipeline, those in groups included, and writes the signed fields in their one form. The
 * signature covers the repository and the variables of the pipeline, so neither can be exchanged later.
 * @throws StepFormError
 */
export async function signPipeline(
  pipeline: PipelineDocument,
  key: Key,
  repositoryUrl: string,
): Promise<PipelineDocument> {
  if (pipeline['checkout'] != null)
    throw new StepFormError('"checkout" at the top of a pipeline cannot be signed: write it into the steps');
  const { env } = signedFieldsOf({ env: pipeline['env'] ?? null });
  const { secrets } = signedFieldsOf({ secrets: pipeline['secrets'] ?? null });
  const sign = async (step: Plain): Promise<Plain> => {
    if (!isPlainObject(step)) return step;
    if (Array.isArray(step['steps'])) return { ...step, steps: await Promise.all(step['steps'].map(sign)) };
    if (!['command', 'commands', 'plugins'].some((field) => step[field] !== undefined)) return step;
    return signStep(step, { key, repositoryUrl, variables: env ?? {}, secrets });
  };
  const steps = pipeline['steps'];
  return Array.isArray(steps) ? { ...pipeline, steps: await Promise.all(steps.map(sign)) } : pipeline;
}

interface Signing {
  key: Key;
  repositoryUrl: string;
  variables: Readonly<Record<string, string>>;
  /** Of the top of the pipeline, in the form that is signed. */
  secrets: Plain[] | null;
}

async function signStep(step: { [field: string]: Plain }, signing: Signing): Promise<Plain> {
  const fields = signedFieldsOf(step);
  const secrets = mergedSecrets(fields.secrets, signing.secrets);
  const values: { [field: string]: Plain } = {
    command: fields.command,
    env: fields.env,
    plugins: fields.plugins,
    matrix: fields.matrix,
    repository_url: signing.repositoryUrl,
    // Signatures of agents that do not know these fields stay the same where a step has none.
    ...(secrets && { secrets }),
    ...(fields.checkout !== null && { checkout: fields.checkout }),
  };
  for (const [name, value] of Object.entries(signing.variables))
    if (!(name in (fields.env ?? {}))) values[variablePrefix + name] = value;
  const { alg } = signing.key;
  const signature = {
    algorithm: alg,
    signed_fields: Object.keys(values).sort(),
    value: await signDetached(signing.key, signedPayload(alg, values)),
  };
  const { commands: _commands, ...rest } = step;
  const written = Object.fromEntries(
    Object.entries({ ...fields, secrets }).filter(([name, value]) => value !== null && (name in step || value !== '')),
  ) as { [field: string]: Plain };
  return { ...rest, ...written, signature };
}

/** The secrets of a step, then those of its pipeline that set another variable. */
function mergedSecrets(own: Plain[] | null, outer: Plain[] | null): Plain[] | null {
  const visited = new Set<Plain>();
  const merged = [...(own ?? []), ...(outer ?? [])].filter((secret) => {
    const variable = isPlainObject(secret) ? (secret['environment_variable'] ?? null) : null;
    if (visited.has(variable)) return false;
    visited.add(variable);
    return true;
  });
  return merged.length === 0 ? null : merged;
}
