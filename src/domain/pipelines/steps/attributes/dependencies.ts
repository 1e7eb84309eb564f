import { flagOf, isObject, scalarText, type Attributes } from './attributes.js';
import type { Json, StepDependency } from '../step.js';

/**
 * Reads `depends_on`: a key, a list of keys, or a list of `{step, allow_failure}`. Null if it is absent (implicit
 * order), [] if it is empty (no order).
 */
export function readDependencies(attributes: Attributes): StepDependency[] | null {
  const value = attributes.value('depends_on');
  if (value === undefined) return null;
  if (value === null || value === '') return [];
  const items = Array.isArray(value) ? value : [value];
  const dependencies = items.map((item, index) => {
    const dependency = dependencyOf(item);
    if (dependency === undefined) {
      const name = Array.isArray(value) ? `depends_on[${index}]` : 'depends_on';
      attributes.problem(name, 'A dependency must be a step key, or a map with "step" and "allow_failure".');
    }
    return dependency;
  });
  return dependencies.filter((dependency) => dependency !== undefined);
}

function dependencyOf(item: Json): StepDependency | undefined {
  if (!isObject(item)) {
    const step = scalarText(item);
    return step === undefined || step === '' ? undefined : { step, allowFailure: false };
  }
  const step = scalarText(item['step']);
  const allowFailure = flagOf(item['allow_failure'] ?? false);
  return step === undefined || step === '' || allowFailure === undefined ? undefined : { step, allowFailure };
}
