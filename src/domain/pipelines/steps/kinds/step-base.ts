import { interpolate, hasExpansion } from '../interpolate.js';
import { flagOf, scalarText, type Attributes } from '../attributes/attributes.js';
import { readDependencies } from '../attributes/dependencies.js';
import { stepLimits } from '../../../limits/step-limits.js';
import type { StepBase } from '../step.js';

const keyPattern = /^[a-zA-Z0-9_\-:${}.,]+$/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The attributes every kind of step has. `title` is the text of the attribute that names the kind
 * (`block: "Deploy?"`), which wins over `label` and `name`.
 */
export function readStepBase(attributes: Attributes, title: string | null = null): StepBase {
  const condition = readCondition(attributes);
  refuseIfChanged(attributes);
  const branches = attributes
    .list('branches')
    .filter((pattern) => pattern !== '')
    .join(' ');
  if (condition !== null && branches !== '') {
    attributes.problem('if', '"if" and "branches" cannot both be used on one step; use build.branch in "if" instead.');
  }
  return {
    key: readKey(attributes),
    label: title ?? attributes.text('label', 'name'),
    dependsOn: readDependencies(attributes),
    allowDependencyFailure: attributes.flag('allow_dependency_failure', false),
    if: condition,
    branches: branches === '' ? null : branches,
    skip: readSkip(attributes),
  };
}

/** Which files changed is known where the repository is: agents decide `if_changed` and take it out as they upload. */
function refuseIfChanged(attributes: Attributes): void {
  if (!attributes.reading.uploaded || (attributes.value('if_changed') ?? null) === null) return;
  attributes.problem(
    'if_changed',
    'Only the agent that uploads a step can decide "if_changed": upload with an agent of version 3.103 or ' +
      'later, without turning it off.',
  );
}

function readKey(attributes: Attributes): string | null {
  const name = attributes.spelling('key', 'id', 'identifier');
  const key = attributes.text(name);
  if (key === null) return null;
  if (key.length > stepLimits.keyLength)
    attributes.problem(name, `A step key must have at most ${stepLimits.keyLength} characters.`);
  else if (!keyPattern.test(key))
    attributes.problem(name, `The key "${key}" may only contain letters, digits, and the characters _ - : . ,`);
  else if (uuidPattern.test(key)) attributes.problem(name, `The key "${key}" must not have the form of a UUID.`);
  else if (attributes.reading.keys.has(key))
    attributes.problem(name, `The key "${key}" has already been used by another step in this build`);
  attributes.reading.keys.add(key);
  return key;
}

function readCondition(attributes: Attributes): string | null {
  const condition = attributes.text('if');
  const { checkCondition, pendingVariables } = attributes.reading;
  if (condition === null || condition.trim() === '') return null;
  // Before interpolation a condition is checked in its interpolated form, unless it still contains a variable.
  if (checkCondition && !(pendingVariables && hasExpansion(condition))) {
    const message = checkCondition(pendingVariables ? interpolate(condition, {}) : condition);
    if (message !== null) attributes.problem('if', message);
  }
  return condition;
}

function readSkip(attributes: Attributes): false | string {
  const value = attributes.value('skip');
  if (value === undefined || value === null || value === '' || attributes.pending(value)) return false;
  const flag = flagOf(value);
  if (flag !== undefined) return flag ? '' : false;
  const reason = scalarText(value);
  if (reason === undefined) attributes.problem('skip', '"skip" must be true, false, or the reason as a string.');
  else if (reason.length > stepLimits.skipReasonLength) {
    attributes.problem('skip', `The reason in "skip" must have at most ${stepLimits.skipReasonLength} characters.`);
  }
  return reason ?? false;
}
