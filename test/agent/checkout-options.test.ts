import { applyStepCheckout, checkoutOptions, flagWords } from '../../src/agent/checkout/checkout-options.js';

describe('the options of a checkout', () => {
  test.each([
    ['-v --prune', ['-v', '--prune']],
    [` -c  core.x="a b" '--it''s' `, ['-c', 'core.x=a b', '--its']],
    [String.raw`a\ b "c\"d" 'e\f'`, ['a b', 'c"d', String.raw`e\f`]],
    ['', []],
    ['an "open quote', ['an', 'open', 'quote']],
  ])('the flags %j are %j', (text, words) => {
    expect(flagWords(text)).toEqual(words);
  });

  test('without any, the flags are those of the open-source agent', () => {
    expect(checkoutOptions({})).toEqual({
      clone: ['-v'],
      fetch: ['-v', '--prune'],
      checkout: ['-f'],
      clean: ['-ffxdq'],
      submodules: true,
      sparsePaths: [],
      sparseMode: 'cone',
    });
  });

  test("a step's checkout sets variables that the job does not have, and names what the agent does not do", () => {
    const env: Record<string, string> = { BUILDKITE_GIT_CLEAN_FLAGS: '-fd', BUILDKITE_GIT_FETCH_FLAGS: '-v' };
    const undone = applyStepCheckout(env, {
      skip: false,
      submodules: 'false',
      depth: 3,
      flags: { clean: '-x', checkout: '-q' },
      sparse: { paths: ['a', 'b/c'] },
      ssh_secret: 'KEY',
      commit_verification: null,
    });
    expect(undone).toEqual(['ssh_secret']);
    expect(env).toEqual({
      BUILDKITE_SKIP_CHECKOUT: 'false',
      BUILDKITE_GIT_SUBMODULES: 'false',
      BUILDKITE_GIT_CLEAN_FLAGS: '-fd',
      BUILDKITE_GIT_CHECKOUT_FLAGS: '-q',
      BUILDKITE_GIT_CLONE_FLAGS: '-v --depth=3',
      BUILDKITE_GIT_FETCH_FLAGS: '-v --depth=3',
      BUILDKITE_GIT_SPARSE_CHECKOUT_PATHS: 'a,b/c',
    });
    expect(applyStepCheckout({}, null)).toEqual([]);
  });
});
