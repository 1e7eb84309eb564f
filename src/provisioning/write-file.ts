import { Document, isScalar, Scalar, visit } from 'yaml';
import { snakeCase } from '../resources/installation/provisioning/reconcile.js';
import { SecretReference } from '../resources/installation/provisioning/exported.js';
import { withoutExpansion } from './environment.js';
import { verbatim } from './read-yaml.js';

/** A provisioning file, and the variables that must be set where it is applied. */
export interface WrittenFile {
  text: string;
  variables: string[];
}

/** Writes a plan as a provisioning file, which `readProvisioning` reads as the same plan. */
export function writeProvisioning(plan: object): WrittenFile {
  const variables = new Set<string>();
  const document = new Document(valueOf(plan, variables, false), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (isScalar(node) && typeof node.value === 'string' && node.value.includes('\n'))
        node.type = Scalar.BLOCK_LITERAL;
    },
  });
  return { text: document.toString({ lineWidth: 0 }), variables: [...variables].sort() };
}

function valueOf(value: unknown, variables: Set<string>, asWritten: boolean): unknown {
  if (value instanceof SecretReference) {
    // Two secrets whose names differ in signs alone are two variables.
    let name = value.variable;
    for (let number = 2; variables.has(name); number++) name = `${value.variable}_${number}`;
    variables.add(name);
    return `\${${name}}`;
  }
  if (typeof value === 'string') return withoutExpansion(value);
  if (Array.isArray(value)) return value.map((item) => valueOf(item, variables, asWritten));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(
      ([key, inner]) =>
        inner !== undefined && (asWritten || (inner !== null && (key === 'scopes' || !isEmptyList(inner)))),
    )
    .map(([key, inner]) => {
      const name = asWritten ? key : snakeCase(key);
      return [name, valueOf(inner, variables, asWritten || verbatim.has(name))];
    });
  return Object.fromEntries(entries);
}

/** An empty list says nothing in a file, but for scopes: a token that may do nothing yet. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
