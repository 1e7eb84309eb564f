import { comparablePath } from './file-path.js';
import type { TestTarget } from './test-plan.js';

/** How a client wants some of its tests chosen. */
export interface TestSelection {
  strategy: string;
  /** Parameters of the strategy: `selectors` of `manual` has one on each line. */
  params: Readonly<Record<string, string>>;
}

/**
 * Strategies that clients name. Only `manual` chooses: it keeps the tests that its selectors name, as the client has
 * found them, which is the path of the file of an example. The others would need what the server does not know of a
 * commit, and keep every test.
 */
export const selectionStrategies = ['random', 'manual', 'rspec_changed_files', 'xgboost'] as const;

/** The tests that a selection keeps, in their order. */
export function selectTests(targets: readonly TestTarget[], selection: TestSelection | null): readonly TestTarget[] {
  if (selection?.strategy !== 'manual') return targets;
  const selectors = new Set(selectorsOf(selection).map(comparablePath));
  return targets.filter(
    ({ format, path }) =>
      selectors.has(comparablePath(path)) || (format === 'example' && selectors.has(comparablePath(fileOf(path)))),
  );
}

/** Selectors of a manual selection; blank lines are none. */
export const selectorsOf = ({ params }: TestSelection): string[] =>
  (params['selectors'] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The file of an example: runners write it before a place in it, as `a_spec.rb[1:2]`, `a.py::test` or `a.js:3`. */
function fileOf(example: string): string {
  const test = example.indexOf('::');
  const parts = (test < 0 ? example : example.slice(0, test)).replace(/\[[\d:]+\]$/, '').split(':');
  while (parts.length > 1 && /^\d+$/.test(parts.at(-1) ?? '')) parts.pop();
  return parts.join(':');
}
