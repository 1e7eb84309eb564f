import { getArgumentValues, Kind } from 'graphql';
import type { CostedOperation } from './cost.js';

/**
 * Returns the organization slug in the root fields' `slug` arguments (`acme` or `acme/pipeline`); null for none or
 * several.
 */
export function namedOrganization({ schema, operation, variables }: CostedOperation): string | null {
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  const named = new Set<string>();
  for (const selection of operation.selectionSet.selections) {
    const definition = selection.kind === Kind.FIELD ? fields[selection.name.value] : undefined;
    if (selection.kind !== Kind.FIELD || !definition) continue;
    const { slug } = getArgumentValues(definition, selection, variables);
    if (typeof slug === 'string' && slug !== '') named.add(slug.split('/')[0] ?? '');
  }
  return named.size === 1 ? ([...named][0] ?? null) : null;
}
