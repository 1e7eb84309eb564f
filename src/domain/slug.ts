import { limits } from './limits/limits.js';

/** Returns the problem of a slug, or null: 1 to 100 ASCII letters, digits and hyphens, not starting with a hyphen. */
export function slugProblem(slug: string): string | null {
  if (slug === '') return "can't be blank";
  if (slug.length > limits.slugLength) return `is too long (maximum is ${limits.slugLength} characters)`;
  return /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(slug)
    ? null
    : 'may only contain letters, digits and hyphens, and cannot begin with a hyphen';
}

/**
 * Derives a slug from a name: runs of spaces become one hyphen, capitals become lower case. Beyond that rule, accents
 * are dropped from Latin letters (`Café` is `cafe`), other characters that a slug cannot contain count as spaces (`a/b`
 * is `a-b`, `:package: App` is `package-app`), spaces at the ends and leading hyphens are dropped, and the result is
 * cut to 100 characters. Returns null for a name without a usable character (`🚀`, `日本`); the caller must then ask for a
 * slug. A slug is its own slug, except for capitals.
 */
export function slugFromName(name: string): string | null {
  const whole = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9 -]+/g, ' ')
    .trim()
    .replace(/ +/g, '-')
    .replace(/^-+/, '');
  const slug = whole.length > limits.slugLength ? whole.slice(0, limits.slugLength).replace(/-+$/, '') : whole;
  return slug === '' ? null : slug;
}
