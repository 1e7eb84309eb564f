import { closestMatch } from 'leven';
import { nearestName } from '../nearest-name.js';

/** Environment variables by what a release makes of them. */
export interface VariableNames {
  /** Variables that the release reads. */
  readonly supported: readonly string[];
  /** Documented variables that the release does not read, with a sentence about what it does instead. */
  readonly unsupported: ReadonlyMap<string, string>;
  /** Beginnings of names that hardly any other program uses, such as `OIDC_`. */
  readonly families: readonly string[];
}

/** One word such as `PORT` means something to many programs: a name like it is theirs. */
const isCompound = (name: string) => name.includes('_');

const sortedLetters = (name: string) => [...name].sort().join('');

/** One letter too many, missing, wrong or in its neighbour's place; two in names of ten letters or more. */
const editsOf = (name: string, nearest: string) =>
  name.length >= 10 || sortedLetters(name) === sortedLetters(nearest) ? 2 : 1;

const misspeltName = (name: string, names: readonly string[]) => nearestName(name, names.filter(isCompound), editsOf);

/**
 * A name with the product's own in front; a cluster's service called "slipway" sets SLIPWAY_PORT and
 * SLIPWAY_SERVICE_HOST.
 */
const prefix = 'SLIPWAY_';
const setByClusters = new Set(['SLIPWAY_PORT', 'SLIPWAY_HOST']);

/**
 * Yields a line for each variable that an operator set without effect: a documented variable that this release does not
 * read, or a misspelt name. A name that resembles one of ours is accepted if ours is set too: then it is another
 * program's.
 * @param names names of the variables that are set
 */
export function* problemsOfVariableNames(
  names: ReadonlySet<string>,
  { supported, unsupported }: VariableNames,
): Generator<string> {
  const known = [...supported, ...unsupported.keys()];
  for (const name of names) {
    const instead = unsupported.get(name);
    if (instead !== undefined) yield `${name}: not supported by this release; ${instead}. Remove the variable`;
    if (known.includes(name)) continue;
    const withoutPrefix = name.startsWith(prefix) && !setByClusters.has(name) ? name.slice(prefix.length) : '';
    const meant = known.includes(withoutPrefix) ? withoutPrefix : misspeltName(name, known);
    if (meant !== null && !names.has(meant))
      yield `${name}: there is no such variable; the nearest is ${meant}. Rename it, or remove it`;
  }
}

/**
 * Yields sentences about variables without effect that may be set for another program: one for each unknown variable of
 * our families.
 */
export function* warningsOfVariableNames(
  names: ReadonlySet<string>,
  { supported, unsupported, families }: VariableNames,
): Generator<string> {
  const known = [...supported, ...unsupported.keys()];
  for (const name of names) {
    const family = families.find((beginning) => name.startsWith(beginning));
    if (family === undefined || known.includes(name) || misspeltName(name, known) !== null) continue;
    const related = known.filter((other) => other.startsWith(family));
    const nearest = related.find((other) => other.startsWith(name)) ?? closestMatch(name, related);
    yield `${name} has no effect: there is no such variable; the nearest is ${nearest}`;
  }
}
