import { invalidField } from '../../domain/problem.js';

/** Reads the `metaData` filter of builds: items `key=value` (or `key:value`), all of which must hold. */
export function metaDataFilter(items: readonly string[] | null | undefined): Record<string, string> | null {
  if (!items || items.length === 0) return null;
  return Object.fromEntries(
    items.map((item) => {
      const found = /^([^=:]+)[=:](.*)$/s.exec(item);
      if (!found) throw invalidField('metaData', 'must be pairs of key=value');
      return [found[1] ?? '', found[2] ?? ''];
    }),
  );
}
