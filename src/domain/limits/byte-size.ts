const units = ['', 'k', 'm', 'g', 't'] as const;

/**
 * Bytes of a size as operators write it: a number and perhaps `k`, `m`, `g` or `t` for powers of 1024, with or without
 * `b` or `ib`. Null for anything else.
 */
export function readByteSize(text: string): number | null {
  const [, number, unit = ''] = /^\s*(\d{1,15}(?:\.\d{1,6})?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text) ?? [];
  if (number === undefined) return null;
  const bytes = Math.floor(Number(number) * 1024 ** units.indexOf(unit.toLowerCase() as (typeof units)[number]));
  return Number.isSafeInteger(bytes) ? bytes : null;
}
