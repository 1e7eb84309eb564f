import { isObject, scalarText } from './attributes/attributes.js';
import { valuedNames } from './interpolate.js';
import type { Json } from './step.js';

/** A variable that a definition uses and does not define. */
export interface UndefinedVariable {
  name: string;
  /** Path of the first text that uses it, such as `steps[0].command`. */
  path: string;
}

/**
 * Lists the variables whose value a definition takes, and that neither its top-level `env` nor the service defines:
 * each is blank unless the creator of the build sets it. `$i` of a loop in a command is one, too: the shell never sees
 * it, and `$$i` is what was meant. Variables with a default are left out, as are those in text that cannot be
 * interpolated.
 */
export function undefinedVariables(document: Json): UndefinedVariable[] {
  const top = isObject(document) ? document : {};
  const defined = new Set(isObject(top['env']) ? Object.keys(top['env']) : []);
  const variables = new Map<string, UndefinedVariable>();
  const look = (value: Json, path: string): void => {
    if (value !== null && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) {
        if (key !== 'signature')
          look(inner as Json, Array.isArray(value) ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${key}`);
      }
      return;
    }
    for (const name of valuedNames(scalarText(value) ?? ''))
      if (!defined.has(name) && !isStandard(name) && !variables.has(name)) variables.set(name, { name, path });
  };
  look(Array.isArray(document) ? { steps: document } : document, '');
  return [...variables.values()];
}

/** Set by the service or by agents, in every build or in some. */
const isStandard = (name: string) => name === 'CI' || name.startsWith('BUILDKITE');
