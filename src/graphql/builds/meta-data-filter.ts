import { invalidField } from '../../domain/problem.js';

/** Parses the `metaData` filter of builds, `key=value` or `key:value` items; throws `invalid` for any other item. */
export function metaDataFilter(items: readonly string[] | null | undefined): Record<string, string> | null {
  if (!items || items.length === 0) return null;
  return Object.fromEntries(
    items.map((item) => {
      const pair = /^([^=:]+)[=:](.*)$/s.exec(item);
      if (!pair) throw invalidField('metaData', 'must be pairs of key=value');
      return [pair[1] ?? '', pair[2] ?? ''];
    }),
  );
}
