/** The static types of the language. `regexp` exists as an operand only, `null` as the type of the literal. */
export type ValueType =
  | { kind: 'string' }
  | { kind: 'enum'; name: string; members: readonly string[] }
  | { kind: 'integer' }
  | { kind: 'boolean' }
  | { kind: 'string[]' }
  | { kind: 'regexp' }
  | { kind: 'null' };

const names: Readonly<Record<Exclude<ValueType['kind'], 'enum'>, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
  'string[]': 'string array',
  regexp: 'regular expression',
  null: 'null',
};

/** The name of a type as problems print it. */
export function describeType(type: ValueType): string {
  return type.kind === 'enum' ? `${type.name} enumeration value` : names[type.kind];
}

/** Several kinds as problems print them: `string, number or null`. */
export function describeKinds(kinds: readonly Exclude<ValueType['kind'], 'enum'>[]): string {
  const words = kinds.map((kind) => names[kind]);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}
