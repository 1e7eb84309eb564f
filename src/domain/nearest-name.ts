import leven, { closestMatch } from 'leven';

const mostEdits = 2;

/** One letter too many, missing or wrong; two in names of eight letters or more. */
const usualEdits = (name: string) => (name.length >= 8 ? mostEdits : 1);

/**
 * Returns the name among `names` that `name` is probably a misspelling of; null if there is none, or if `name` is among
 * them.
 * @param editsOf returns the number of letters, at most two, in which a name may differ
 */
export function nearestName(
  name: string,
  names: readonly string[],
  editsOf: (name: string, nearest: string) => number = usualEdits,
): string | null {
  const nearest = closestMatch(name, [...names], { maxDistance: mostEdits });
  if (nearest === undefined || nearest === name) return null;
  return leven(name, nearest) <= editsOf(name, nearest) ? nearest : null;
}
