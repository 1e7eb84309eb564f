import type { z } from 'zod';

const shapes: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  date: 'a time',
  null: 'null',
};

/**
 * The refusal of a value in a sentence of the product, where the schema has none of its own: callers never read the
 * words of the library that checks them. Takes an issue of Zod, returns a sentence that follows the name of the field.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${shapes[issue.expected] ?? 'of another type'}`;
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum));
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum));
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has properties that nobody reads: ${issue.keys.slice(0, 10).join(', ')}`;
    case 'invalid_format':
      return 'does not have the required form';
    default:
      return 'is invalid';
  }
}

function tooBig(origin: string, most: number): string {
  if (origin === 'string') return `is too long (maximum is ${most} characters)`;
  if (origin === 'array' || origin === 'set') return `must have at most ${most} entries`;
  return `must be at most ${most}`;
}

function tooSmall(origin: string, least: number): string {
  if (origin === 'string') return `is too short (minimum is ${least} characters)`;
  if (origin === 'array' || origin === 'set') return `must have at least ${least} entries`;
  return `must be at least ${least}`;
}
