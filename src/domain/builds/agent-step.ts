import { flagOf, isObject, scalarText } from '../pipelines/steps/attributes/attributes.js';
import type { CommandStep, Json, JsonObject } from '../pipelines/steps/step.js';

/**
 * Returns the step as the agent of one of its jobs receives it. A signed step is returned as it was written, without
 * `secrets: null`, because its signature covers exactly that. Any other step has the attributes that agents read, with
 * the defaults of its pipeline. No value has a type that agents cannot decode: they would neither run nor report the
 * job.
 */
export function agentStep(step: CommandStep): JsonObject {
  if (step.signature !== null) return withoutNullSecrets(step.source);
  const { key, label, command, plugins, secrets } = step;
  return present({
    key,
    label,
    command,
    plugins: plugins && plugins.length > 0 ? plugins : null,
    env: Object.keys(step.env).length > 0 ? step.env : null,
    matrix: step.matrix === null ? null : (step.source['matrix'] ?? null),
    secrets: secrets && secrets.length > 0 ? secrets : null,
    cache: cacheOf(step.cache),
    checkout: checkoutOf(step.checkout),
  });
}

/** `{"": "a"}` for a matrix without named dimensions, else each dimension's value as text; null without a matrix. */
export function matrixPermutation(matrix: Json): Record<string, string> | null {
  if (matrix === null) return null;
  if (typeof matrix !== 'object' || Array.isArray(matrix)) return { '': String(matrix) };
  return Object.fromEntries(Object.entries(matrix).map(([dimension, value]) => [dimension, String(value)]));
}

/**
 * The variables that a step's `checkout` sets. Its git flags belong to the agent: only a step's `checkout` gives them.
 */
export function checkoutVariables(checkout: JsonObject | null): Record<string, string | null> {
  if (checkout === null) return {};
  const flags = isObject(checkout['flags']) ? checkout['flags'] : {};
  const sparse = isObject(checkout['sparse']) ? checkout['sparse']['paths'] : undefined;
  return {
    BUILDKITE_SKIP_CHECKOUT: flag(checkout['skip']),
    BUILDKITE_GIT_SUBMODULES: flag(checkout['submodules']),
    BUILDKITE_GIT_LFS_ENABLED: flag(checkout['lfs']),
    BUILDKITE_GIT_CLONE_FLAGS: scalarText(flags['clone']) ?? null,
    BUILDKITE_GIT_FETCH_FLAGS: scalarText(flags['fetch']) ?? null,
    BUILDKITE_GIT_CHECKOUT_FLAGS: scalarText(flags['checkout']) ?? null,
    BUILDKITE_GIT_CLEAN_FLAGS: scalarText(flags['clean']) ?? null,
    BUILDKITE_GIT_SPARSE_CHECKOUT_PATHS: textsOf(sparse)?.join(',') ?? null,
    BUILDKITE_GIT_COMMIT_VERIFICATION: scalarText(checkout['commit_verification']) ?? null,
  };
}

function withoutNullSecrets(source: JsonObject): JsonObject {
  if (source['secrets'] !== null) return source;
  const { secrets: _secrets, ...rest } = source;
  return rest;
}

function present(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== null && entry[1] !== undefined),
  );
}

const flag = (value: Json | undefined): string | null => {
  const known = value === undefined ? undefined : flagOf(value);
  return known === undefined ? null : String(known);
};

/** The texts of a list, or of one text; undefined for anything else. */
function textsOf(value: Json | undefined): string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value ?? null]).map(scalarText);
  return texts.includes(undefined) ? undefined : (texts as string[]);
}

function cacheOf(cache: Json): Json {
  if (cache === false) return false;
  if (!isObject(cache)) return textsOf(cache) ?? null;
  const paths = textsOf(cache['paths']);
  return paths === undefined
    ? null
    : present({ paths, name: scalarText(cache['name']), size: scalarText(cache['size']) });
}

function checkoutOf(checkout: JsonObject | null): JsonObject | null {
  if (checkout === null) return null;
  const { skip, submodules, flags, ...rest } = checkout;
  const texts = isObject(flags) ? Object.entries(flags).map(([name, value]) => [name, scalarText(value)]) : [];
  return present({
    ...rest,
    skip: skip === undefined ? undefined : flagOf(skip),
    submodules: submodules === undefined ? undefined : flagOf(submodules),
    flags: texts.length > 0 ? present(Object.fromEntries(texts) as Record<string, string | undefined>) : undefined,
  });
}
