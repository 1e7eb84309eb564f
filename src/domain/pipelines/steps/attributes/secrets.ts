import { isVariableName } from '../../../builds/variable-name.js';
import { isObject, type Attributes } from './attributes.js';
import type { Json, JsonObject } from '../step.js';

/**
 * `secrets` as a list of `{key, environment_variable}`, from a list of names, a list of such maps, or a map of
 * variables to secret names; null where the attribute is absent.
 */
export function readSecrets(attributes: Attributes): JsonObject[] | null {
  const value = attributes.value('secrets');
  if (value === undefined || value === null) return null;
  const secrets = secretsOf(value);
  if (secrets.includes(undefined)) {
    attributes.problem('secrets', '"secrets" must be a list of secret names, or a map of variables to secret names.');
    return null;
  }
  const wrong = (secrets as JsonObject[]).some((each) => {
    const variable = variableOf(each);
    return typeof variable === 'string' && !isVariableName(variable) && !attributes.pending(variable);
  });
  if (wrong) attributes.problem('secrets', '"secrets" has a name that no environment variable can have.');
  return secrets as JsonObject[];
}

function secretsOf(value: Json): (JsonObject | undefined)[] {
  if (isObject(value)) return Object.entries(value).map(([variable, key]) => secret(key, variable));
  if (!Array.isArray(value)) return [undefined];
  return value.map((item) =>
    isObject(item) ? secret(item['key'] ?? null, item['environment_variable'] ?? null) : secret(item, item),
  );
}

function secret(key: Json, variable: Json): JsonObject | undefined {
  const named =
    typeof key === 'string' && key !== '' && (variable === null || (typeof variable === 'string' && variable !== ''));
  if (!named) return undefined;
  return variable === null ? { key } : { key, environment_variable: variable };
}

/** Both lists; of two secrets for one variable the step's own counts. */
export function mergeSecrets(outer: JsonObject[] | null, own: JsonObject[] | null): JsonObject[] | null {
  if (outer === null || own === null) return own ?? outer;
  const ownVariables = new Set(own.map(variableOf));
  return [...own, ...outer.filter((each) => !ownVariables.has(variableOf(each)))];
}

function variableOf(each: JsonObject): Json {
  return each['environment_variable'] ?? each['key'] ?? null;
}
