import { z } from 'zod';
import { substituteMatrix, substituteMatrixIn } from '../../domain/pipelines/steps/matrix/tokens.js';
import type { Plain } from '../pipeline-upload/pipeline-text.js';
import type { JobPayload } from '../wire.js';
import {
  canonicalJson,
  isPlainObject,
  type SignedFields,
  signedFieldsOf,
  type StepDocument,
} from './canonical-step.js';
import { type Key, verifyDetached } from './key-set.js';
import { signedPayload, variablePrefix } from './sign-pipeline.js';

const signatureSchema = z.object({
  algorithm: z.string(),
  signed_fields: z.array(z.string()).min(1),
  value: z.string(),
});

/**
 * Verifies that a job is what its step was signed to be: the signature with one of the keys, then command, variables
 * and plugins of the job against the signed step. Returns why not, in a sentence for the log; null if all is well.
 */
export async function findForgery(job: JobPayload, keys: readonly Key[]): Promise<string | null> {
  const step = job.step as StepDocument | null | undefined;
  if (step?.['signature'] == null) return 'This step is not signed.';
  const signature = signatureSchema.safeParse(step['signature']);
  if (!signature.success) return 'The signature of this step cannot be read.';
  const { algorithm, signed_fields: names, value } = signature.data;
  try {
    const fields = signedFieldsOf(step);
    const values = signedValues(names, fields, job.env);
    if (typeof values === 'string') return values;
    if (!(await verifyDetached(keys, value, signedPayload(algorithm, values))))
      return 'The signature of this step does not match it.';
    return differenceOf(job, fields, job.matrix_permutation ?? {});
  } catch (error) {
    return `This step does not match its signature: ${(error as Error).message}.`;
  }
}

/** The values of signed fields, or a sentence where one is not known or a field of the step is not signed. */
function signedValues(
  names: readonly string[],
  fields: SignedFields,
  env: Readonly<Record<string, string>>,
): { [field: string]: Plain } | string {
  const own: { [field: string]: Plain } = { ...fields, repository_url: env['BUILDKITE_REPO'] ?? '' };
  const values: { [field: string]: Plain } = {};
  for (const name of names) {
    const variable = name.startsWith(variablePrefix) ? name.slice(variablePrefix.length) : null;
    const value = variable === null ? own[name] : env[variable];
    if (value === undefined)
      return variable === null
        ? `The signature of this step covers the unknown field ${name}.`
        : `The variable ${variable} is signed and is missing from the job.`;
    values[name] = value;
  }
  const needed = ['command', 'env', 'plugins', 'matrix', 'repository_url'];
  if (fields.secrets !== null) needed.push('secrets');
  if (fields.checkout !== null) needed.push('checkout');
  const unsigned = needed.filter((name) => !names.includes(name));
  return unsigned.length > 0 ? `The signature of this step does not cover ${unsigned.join(', ')}.` : values;
}

/** Where the job differs from its signed step, once the values of its matrix are in place; null where nowhere. */
function differenceOf(
  { env }: JobPayload,
  fields: SignedFields,
  permutation: Readonly<Record<string, string>>,
): string | null {
  if (!isInMatrix(permutation, fields.matrix)) return 'The values of this job are not in the signed matrix.';
  const put = (text: string): string => (fields.matrix === null ? text : substituteMatrix(text, permutation));
  if (put(fields.command) !== (env['BUILDKITE_COMMAND'] ?? '')) return 'The command of this job is not the signed one.';
  const variable = Object.entries(fields.env ?? {}).find(([name, value]) => env[name] !== put(value));
  if (variable) return `The variable ${variable[0]} of this job is not the signed one.`;
  const signed = fields.plugins ?? [];
  const plugins = fields.matrix === null ? signed : (substituteMatrixIn(signed, permutation) as Plain[]);
  const ofJob = signedFieldsOf({ plugins: JSON.parse(env['BUILDKITE_PLUGINS'] || 'null') as Plain }).plugins ?? [];
  return canonicalJson(plugins) === canonicalJson(ofJob) ? null : 'The plugins of this job are not the signed ones.';
}

/** Whether a permutation is a combination of the matrix, or one that an adjustment adds, and none skips it. */
function isInMatrix(permutation: Readonly<Record<string, string>>, matrix: Plain): boolean {
  const chosen = Object.entries(permutation);
  if (matrix === null) return chosen.length === 0;
  const setup = dimensionsOf(isPlainObject(matrix) ? (matrix['setup'] ?? null) : matrix);
  if (chosen.length !== setup.size || chosen.some(([name]) => !setup.has(name))) return false;
  const list = isPlainObject(matrix) && Array.isArray(matrix['adjustments']) ? matrix['adjustments'] : [];
  const matching = list.filter(isPlainObject).filter(({ with: values = null }) => {
    const expected = isPlainObject(values) ? values : { '': values };
    return chosen.every(([name, value]) => expected[name] === value);
  });
  if (matching.some(({ skip = false }) => skip !== false)) return false;
  return matching.length > 0 || chosen.every(([name, value]) => setup.get(name)?.includes(value));
}

function dimensionsOf(setup: Plain): Map<string, Plain[]> {
  if (Array.isArray(setup)) return new Map([['', setup]]);
  if (!isPlainObject(setup)) return new Map();
  return new Map(Object.entries(setup).map(([name, values]) => [name, Array.isArray(values) ? values : []]));
}
