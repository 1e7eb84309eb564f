import { selectTests } from '../../../../src/domain/suites/test-plans/select-tests.js';

test.each([
  ['spec/a_spec.rb[1:2:3]', 'spec/a_spec.rb'],
  ['./spec/a_spec.rb[1]', 'spec/a_spec.rb'],
  ['tests/test_a.py::TestA::test_b[1-2]', 'tests/test_a.py'],
  ['app/[id]/page.spec.ts:12:3', 'app/[id]/page.spec.ts'],
  ['features/a.feature:7', './features/a.feature'],
])('the file of the example %s selects it', (path, selector) => {
  const chosen = (selectors: string) =>
    selectTests([{ format: 'example', path }], { strategy: 'manual', params: { selectors } });
  expect(chosen(selector)).toHaveLength(1);
  expect(chosen(path)).toHaveLength(1);
  expect(chosen(`${selector}x`)).toHaveLength(0);
});

test('a selector that looks like a place in a file is not taken for the file', () => {
  const targets = [{ format: 'selector', path: '//app:1' } as const];
  expect(selectTests(targets, { strategy: 'manual', params: { selectors: '//app' } })).toEqual([]);
});
