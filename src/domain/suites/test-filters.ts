/** A filter value: `main`, `!main` for every other value, `feature/*` for values that begin with `feature/`. */
export interface Match {
  text: string;
  /** Whether any value that begins with the text matches. */
  prefix: boolean;
  /** Whether every value matches but these, and no value does too. */
  excluded: boolean;
}

/** A condition on a tag of executions, written `key:value`. */
export interface TagFilter {
  key: string;
  match: Match;
  /**
   * `matching`: counts matching executions only. `some` (`~`) and `every` (`^`): counts all executions of tests with
   * some, or only, matching executions.
   */
  of: 'matching' | 'some' | 'every';
}

/** The tag that is the result of an execution; no upload sets it. */
export const resultTag = 'result';

const ofTests: Readonly<Record<string, 'some' | 'every'>> = { '~': 'some', '^': 'every' };

export function readMatch(value: string): Match {
  const excluded = value.startsWith('!');
  const prefix = value.endsWith('*');
  return { text: value.slice(excluded ? 1 : 0, prefix ? -1 : undefined), prefix, excluded };
}

/** The filter of a tag, as `framework:!rspec` or `result:^passed`; the problem as a sentence, where there is one. */
export function readTagFilter(filter: string): TagFilter | { problem: string } {
  const colon = filter.indexOf(':');
  if (colon <= 0 || colon === filter.length - 1) return { problem: 'must be of the form key:value' };
  const [key, value] = [filter.slice(0, colon), filter.slice(colon + 1)];
  const of = ofTests[value.charAt(0)];
  if (of && key !== resultTag) return { problem: `takes ~ and ^ for the tag ${resultTag} only` };
  return { key, match: readMatch(of ? value.slice(1) : value), of: of ?? 'matching' };
}

/** What is wrong with a filter of branches; null where nothing is. */
export function branchFilterProblem(filter: string): string | null {
  const { excluded, prefix } = readMatch(filter);
  return excluded && prefix ? 'takes one operator at most' : null;
}

/** Whether a value matches; a value that is absent matches what excludes others. */
export function isMatch(value: string | null | undefined, { text, prefix, excluded }: Match): boolean {
  const same = value != null && (prefix ? value.startsWith(text) : value === text);
  return same !== excluded;
}

/** Names that are asked for and, after a `!`, names that are not wanted. */
export function readNames(names: readonly string[]): { wanted: string[]; unwanted: string[] } {
  return {
    wanted: names.filter((name) => !name.startsWith('!')),
    unwanted: names.filter((name) => name.startsWith('!')).map((name) => name.slice(1)),
  };
}
