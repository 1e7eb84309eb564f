import { limits } from './limits.js';

/** What is wrong with a slug, null if nothing: 1 to 100 ASCII letters, digits and hyphens, no hyphen first (api-v2 "Slug rules"). */
export function slugProblem(slug: string): string | null {
  if (slug === '') return 'can\'t be blank';
  if (slug.length > limits.slugLength) return `is too long (maximum is ${limits.slugLength} characters)`;
  return /^[A-Za-z0-9][A-Za-z0-9-]*$/.test(slug) ? null : 'may only contain letters, digits and hyphens, and cannot begin with a hyphen';
}

/**
 * Derives a slug from a name: every run of spaces becomes one hyphen, capitals become small (api-v2 "Slug rules").
 * What the rule does not say: accents are dropped from Latin letters (`Café` is `cafe`), whatever else a slug cannot
 * hold counts as a space (`a/b` is `a-b`, `:package: App` is `package-app`), spaces at the ends and hyphens in front
 * go, and the result is cut to 100 characters. A name without one usable character (`🚀`, `日本`) has no slug: null,
 * and the caller has to ask for one. A slug is its own slug, capitals aside.
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
