import canonicalize from 'canonicalize';
import type { Plain } from '../pipeline-upload/pipeline-text.js';
import { fullSource } from '../plugins/plugin.js';

export type StepDocument = Readonly<Record<string, Plain>>;

/** A step that cannot be written in the one form that is signed. */
export class StepFormError extends Error {
  override readonly name = 'StepFormError';
}

/** The fields of a command step that a signature covers, each in the one form that is signed; empty ones are null. */
export interface SignedFields {
  command: string;
  env: Record<string, string> | null;
  plugins: Plain[] | null;
  matrix: Plain;
  secrets: Plain[] | null;
  checkout: Plain;
}

/**
 * Reads the signed fields of a command step, in whichever of their forms they are written.
 * @throws StepFormError
 */
export function signedFieldsOf(step: StepDocument): SignedFields {
  return {
    command: commandOf(step['command'] ?? step['commands'] ?? ''),
    env: envOf(step['env'] ?? null),
    plugins: pluginsOf(step['plugins'] ?? null),
    matrix: matrixOf(step['matrix'] ?? null),
    secrets: secretsOf(step['secrets'] ?? null),
    checkout: checkoutOf(step['checkout'] ?? null),
  };
}

type PlainObject = { [key: string]: Plain };

export function isPlainObject(value: Plain): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number, a boolean or a text as text. */
function textOf(value: Plain, place: string): string {
  if (typeof value === 'object' && value !== null) throw new StepFormError(`${place} must be a text`);
  return value === null ? '' : String(value);
}

function commandOf(command: Plain): string {
  return Array.isArray(command)
    ? command.map((line) => textOf(line, 'a command')).join('\n')
    : textOf(command, 'command');
}

function envOf(env: Plain): Record<string, string> | null {
  if (env === null) return null;
  if (!isPlainObject(env)) throw new StepFormError('env must be a map');
  const entries = Object.entries(env).map(([name, value]) => [name, textOf(value, `env.${name}`)]);
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Record<string, string>);
}

function pluginsOf(plugins: Plain): Plain[] | null {
  if (plugins === null) return null;
  const items = Array.isArray(plugins) ? plugins : [plugins];
  const list = items.flatMap((item): PlainObject[] => {
    if (typeof item === 'string') return [{ [fullSource(item)]: null }];
    if (!isPlainObject(item)) throw new StepFormError('plugins must hold names and maps');
    return Object.entries(item).map(([source, configuration]) => ({
      [fullSource(source)]: emptyToNull(configuration),
    }));
  });
  return list.length === 0 ? null : list;
}

function emptyToNull(value: Plain): Plain {
  if (typeof value !== 'object' || value === null) return value;
  return Object.keys(value).length === 0 ? null : value;
}

function matrixOf(matrix: Plain): Plain {
  if (matrix === null) return null;
  if (Array.isArray(matrix)) return emptyToNull(valuesOf(matrix));
  if (!isPlainObject(matrix)) throw new StepFormError('matrix must be a list or a map');
  const { setup = null, adjustments = null, ...rest } = matrix;
  const list = Array.isArray(adjustments) ? adjustments.map(adjustmentOf) : [];
  const dimensions = setupOf(setup);
  if (Array.isArray(dimensions) && dimensions.length > 0 && list.length === 0 && Object.keys(rest).length === 0)
    return dimensions;
  return emptyToNull({ ...rest, setup: dimensions, ...(list.length > 0 && { adjustments: list }) });
}

const valuesOf = (values: Plain[]): string[] => values.map((value) => textOf(value, 'a value of the matrix'));

function setupOf(setup: Plain): Plain {
  if (Array.isArray(setup)) return valuesOf(setup);
  if (setup === null) return {};
  if (!isPlainObject(setup)) throw new StepFormError('matrix.setup must be a list or a map');
  return Object.fromEntries(
    Object.entries(setup).map(([dimension, values]) => [
      dimension,
      valuesOf(Array.isArray(values) ? values : [values]),
    ]),
  );
}

function adjustmentOf(adjustment: Plain): Plain {
  if (!isPlainObject(adjustment)) throw new StepFormError('an adjustment of the matrix must be a map');
  const { with: values = null, skip = null, ...rest } = adjustment;
  const chosen = isPlainObject(values)
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value, 'with')]))
    : textOf(values, 'with');
  return { ...rest, with: chosen, ...(skip !== null && { skip }) };
}

function secretsOf(secrets: Plain): Plain[] | null {
  if (secrets === null) return null;
  const secret = (key: Plain, variable: Plain): PlainObject => {
    if (typeof key !== 'string' || key === '') throw new StepFormError('a secret needs a key');
    return { key, ...(typeof variable === 'string' && variable !== '' && { environment_variable: variable }) };
  };
  let list: PlainObject[];
  if (Array.isArray(secrets)) {
    list = secrets.map((item) => {
      if (typeof item === 'string') return secret(item, item);
      if (!isPlainObject(item)) throw new StepFormError('secrets must hold names and maps');
      const { key = null, environment_variable: variable = null, ...rest } = item;
      return { ...rest, ...secret(key, variable) };
    });
  } else if (isPlainObject(secrets)) list = Object.entries(secrets).map(([variable, key]) => secret(key, variable));
  else throw new StepFormError('secrets must be a list or a map');
  return list.length === 0 ? null : list;
}

function checkoutOf(checkout: Plain): Plain {
  if (checkout === null) return null;
  if (!isPlainObject(checkout)) throw new StepFormError('checkout must be a map');
  return emptyToNull(Object.fromEntries(Object.entries(checkout).filter(([, value]) => value !== null)));
}

/**
 * JSON with the members of every object in the order of their names (RFC 8785): equal values give equal bytes.
 * @throws StepFormError for text that has no bytes: with half of a surrogate pair
 */
export function canonicalJson(value: Plain): string {
  try {
    return canonicalize(value) ?? 'null';
  } catch (error) {
    throw new StepFormError((error as Error).message);
  }
}
