import { isObject, type Attributes } from '../attributes/attributes.js';
import type { Json, JsonObject, StepType } from '../step.js';

const typeNames: Record<string, StepType> = {
  command: 'command',
  commands: 'command',
  script: 'command',
  wait: 'wait',
  waiter: 'wait',
  block: 'block',
  manual: 'block',
  input: 'input',
  trigger: 'trigger',
  group: 'group',
};

/** Attributes that every step may have, though not every reading asks for them. */
export const namesOfEveryStep: readonly string[] = ['type', ...Object.keys(typeNames), 'label', 'name', 'if_changed'];

/** Keys that give a step its kind where it has no `type`, first found wins. */
const telling: [string, StepType][] = [
  ['command', 'command'],
  ['commands', 'command'],
  ['plugins', 'command'],
  ['wait', 'wait'],
  ['waiter', 'wait'],
  ['block', 'block'],
  ['input', 'input'],
  ['manual', 'block'],
  ['trigger', 'trigger'],
  ['group', 'group'],
];

/** Returns the kind of a step written as one word (`- wait`); undefined for an unknown word. */
export function wordStep(word: string): StepType | undefined {
  return ['wait', 'waiter', 'block', 'input', 'manual'].includes(word) ? typeNames[word] : undefined;
}

/**
 * Returns the kind of a step, from its `type` or else from its keys. Reports a problem and returns undefined if neither
 * identifies it.
 */
export function inferType(attributes: Attributes): StepType | undefined {
  const type = attributes.value('type');
  if (typeof type === 'string') {
    const known = Object.hasOwn(typeNames, type) ? typeNames[type] : undefined;
    if (known === undefined)
      attributes.problem(
        'type',
        `"${type}" is not a type of step; it must be one of ${Object.keys(typeNames).join(', ')}.`,
      );
    return known;
  }
  const typeKey = telling.find(([name]) => Object.hasOwn(attributes.raw, name));
  if (typeKey === undefined) {
    attributes.problem('', `The step has no type: it needs one of ${telling.map(([name]) => name).join(', ')}.`);
  }
  return typeKey?.[1];
}

/**
 * Returns a nested step with its attributes at the top level: `{block: {prompt: …}}` becomes `{prompt: …}` of type
 * block. Returns any other step unchanged.
 */
export function unnest(step: JsonObject): JsonObject {
  const outer = Object.entries(step).find(([name, value]) => isNestable(name) && isObject(value));
  if (outer === undefined) return step;
  const [name, inner] = outer as [string, JsonObject];
  const { [name]: _nested, ...others } = step;
  const type: Json = name === 'commands' ? 'command' : name;
  return { type, ...others, ...inner };
}

function isNestable(name: string): boolean {
  return name !== 'group' && Object.hasOwn(typeNames, name);
}
