import { closestMatch } from 'leven';

/** The name among `names` that `name` is a misspelling of: one edit away, or two where it is long; null if there is none. */
export function nearestName(name: string, names: readonly string[]): string | null {
  const nearest = closestMatch(name, [...names], { maxDistance: name.length >= 8 ? 2 : 1 });
  return nearest === undefined || nearest === name ? null : nearest;
}
