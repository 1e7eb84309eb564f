import { Problem } from '../../domain/problem.js';

/**
 * A parameter of a request by its name; null where it is absent or empty. Throws `malformed` for one that comes twice
 * (RFC 6749, section 3.1): two readers could take another one of them.
 */
export function parameterOf(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name);
  if (values.length > 1) throw new Problem('malformed', `The parameter ${name} comes twice`);
  const [value] = values;
  return value === undefined || value === '' ? null : value;
}

/** The parameter, which must be there. Throws `malformed` without it. */
export function neededOf(parameters: URLSearchParams, name: string): string {
  const value = parameterOf(parameters, name);
  if (value === null) throw new Problem('malformed', `The parameter ${name} is missing`);
  return value;
}

/** Whether what a token is asked for (RFC 8707) is a part of this installation. */
export function isOwnResource(baseUrl: string, resource: string): boolean {
  if (!URL.canParse(resource)) return false;
  const url = new URL(resource);
  const isPlain = url.username === '' && url.password === '' && !resource.includes('#');
  return isPlain && url.origin === new URL(baseUrl).origin;
}
