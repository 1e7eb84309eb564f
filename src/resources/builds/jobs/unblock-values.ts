import { RE2JS } from 're2js';
import type { FieldProblem } from '../../../domain/problem.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';

type Input = Record<string, string | number | boolean | string[] | null>;
type Result = { ok: true; metaData: Record<string, string> } | { ok: false; problems: FieldProblem[] };

/**
 * Returns the meta-data that unblocking sets, from the step's fields and the submitted values: several values are
 * joined by newlines, `\r\n` becomes `\n`, an optional empty field still creates its key. Values for fields that the
 * step does not have are ignored.
 */
export function unblockValues(fields: readonly JsonObject[], input: Input): Result {
  const metaData: Record<string, string> = {};
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    const key = String(field['key'] ?? '');
    const text = asText(input[key]) ?? asText(field['default'] as Input[string]) ?? '';
    const problem = fieldProblem(field, text);
    if (problem) problems.push({ field: `fields.${key}`, code: problem });
    else metaData[key] = text;
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, metaData };
}

function asText(value: Input[string] | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return (Array.isArray(value) ? value.join('\n') : String(value)).replaceAll('\r\n', '\n');
}

function fieldProblem(field: JsonObject, text: string): string | null {
  const required = field['required'] !== false && field['required'] !== 'false';
  if (text === '') return required ? 'missing' : null;
  if (Array.isArray(field['options'])) {
    const values = field['options'].map((option) => String((option as JsonObject)['value']));
    const chosen = field['multiple'] === true || field['multiple'] === 'true' ? text.split('\n') : [text];
    return chosen.every((each) => values.includes(each)) ? null : 'is not one of the options';
  }
  if (typeof field['format'] === 'string' && !matchesFormat(field['format'], text))
    return `does not match the format ${field['format']}`;
  return null;
}

/** A format is a regular expression that the whole value must match, in linear time. */
function matchesFormat(format: string, text: string): boolean {
  try {
    return RE2JS.compile(format).matches(text);
  } catch {
    return true;
  }
}
