import { Attributes, isObject, scalarText } from '../attributes/attributes.js';
import { readStepBase } from './step-base.js';
import type { BlockStep, Json, JsonObject } from '../step.js';

const fieldKeyPattern = /^[a-zA-Z0-9\-_/]+$/;

/** Reads a block or input step; the text of `block`, `input` or `manual` wins over `label`. */
export function readBlockStep(attributes: Attributes, type: 'block' | 'input'): BlockStep {
  return {
    type,
    ...readStepBase(attributes, attributes.text('block', 'input', 'manual')),
    prompt: attributes.text('prompt'),
    submit: attributes.text('submit'),
    fields: readFields(attributes),
    blockedState: attributes.choice('blocked_state', ['passed', 'failed', 'running']),
    allowedTeams: attributes.list('allowed_teams').filter((team) => team !== ''),
  };
}

function readFields(attributes: Attributes): JsonObject[] {
  const value = attributes.value('fields');
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    attributes.problem('fields', '"fields" must be a list.');
    return [];
  }
  return value.flatMap((item, index) => {
    const name = `fields[${index}]`;
    if (isObject(item)) return [readField(new Attributes(item, attributes.pathOf(name), attributes.reading))];
    attributes.problem(name, 'A field must be a map with "text" or "select", and "key".');
    return [];
  });
}

/**
 * A field in its one form: `{text, key, hint, required, default, format}` or
 * `{select, key, hint, required, default, multiple, options: [{label, value, hint, required}]}`.
 */
function readField(field: Attributes): JsonObject {
  const key = field.text('key');
  if (key === null) field.problem('key', 'A field needs a "key", under which its value is kept as meta-data.');
  else if (!field.pending(key) && !fieldKeyPattern.test(key)) {
    field.problem('key', `The field key "${key}" may only contain letters, digits, and the characters - _ /`);
  }
  const base: JsonObject = { key, hint: field.text('hint'), required: field.flag('required', true) };
  if (field.value('select') === undefined && field.value('options') === undefined) {
    if (field.value('text') === undefined) field.problem('', 'A field must have "text" or "select".');
    return { text: field.text('text'), ...base, default: field.text('default'), format: field.text('format') };
  }
  return {
    select: field.text('select'),
    ...base,
    default: readDefault(field),
    multiple: field.flag('multiple', false),
    options: readOptions(field),
  };
}

function readDefault(field: Attributes): Json {
  return Array.isArray(field.value('default')) ? field.list('default') : field.text('default');
}

function readOptions(field: Attributes): JsonObject[] {
  const options = field.items('options');
  if (options.length === 0) field.problem('options', 'A select field needs at least one option.');
  return options.flatMap((item, index) => {
    const path = `options[${index}]`;
    if (!isObject(item) || scalarText(item['value']) === undefined) {
      field.problem(path, 'An option must be a map with "label" and "value".');
      return [];
    }
    const option = new Attributes(item, field.pathOf(path), field.reading);
    const value = scalarText(item['value']) ?? '';
    return [
      {
        label: option.text('label') ?? value,
        value,
        hint: option.text('hint'),
        required: option.flag('required', true),
      },
    ];
  });
}
