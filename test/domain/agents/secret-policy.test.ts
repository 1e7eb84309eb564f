import { secretKeyProblem } from '../../../src/domain/agents/secret-key.js';
import { policyAllows, readSecretPolicy, type SecretFacts } from '../../../src/domain/agents/secret-policy.js';

const facts: SecretFacts = {
  pipeline_slug: ['app'],
  build_branch: ['main'],
  build_source: ['api'],
  build_creator: ['0190-id', 'ann@example.com'],
  build_creator_team: ['ops', 'dev'],
  cluster_queue_key: ['default'],
};

describe('the policy of a secret', () => {
  test.each<[string | null, boolean]>([
    [null, true],
    ['', true],
    ['  \n', true],
    ['# nothing', true],
    ['[]', false],
    ['- pipeline_slug: app', true],
    ['- pipeline_slug: other', false],
    ['- pipeline_slug: [other, app]', true],
    ['- pipeline_slug: app\n  build_branch: main', true],
    ['- pipeline_slug: app\n  build_branch: dev', false],
    ['- build_branch: dev\n- build_branch: main', true],
    ['- build_creator: ann@example.com', true],
    ['- build_creator: Ann@Example.com', true],
    ['- build_creator_team: dev', true],
    ['- build_creator_team: qa', false],
    ['- build_source: schedule', false],
    ['- cluster_queue_key: default', true],
    ['[{"pipeline_slug": "app"}]', true],
    // An invalid policy gives access to no one.
    ['- pipline_slug: app', false],
    ['pipeline_slug: app', false],
    ['- app', false],
    ['- [', false],
    ['- {}', false],
    ['- pipeline_slug: []', false],
    ['- pipeline_slug: 1', false],
    ['- &a {pipeline_slug: app}\n- *a', false],
  ])("the policy %j lets the test's job read the secret: %s", (policy, allowed) => {
    expect(policyAllows(policy, facts)).toBe(allowed);
  });

  test.each<[string, RegExp]>([
    ['- pipline_slug: app', /unknown claim pipline_slug/],
    ['pipeline_slug: app', /a list of rules/],
    ['- app', /a map of claims/],
    ['- [', /not valid YAML/],
    ['- {}', /without claims/],
    ['- pipeline_slug: 1', /a text or a list of texts/],
    [`${'- pipeline_slug: a\n'.repeat(101)}`, /more than 100 rules/],
  ])('the policy %j is refused', (policy, message) => {
    expect(readSecretPolicy(policy)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  test('a build without a creator satisfies no claim about its creator', () => {
    expect(
      policyAllows('- build_creator: ann@example.com', { ...facts, build_creator: [], build_creator_team: [] }),
    ).toBe(false);
  });
});

describe('the key of a secret', () => {
  test.each(['A', 'a_1', 'DEPLOY_KEY', 'x'.repeat(255)])("a secret's key can be %s", (key) =>
    expect(secretKeyProblem(key)).toBeNull(),
  );
  test.each(['', '1A', '_A', 'A-B', 'A B', 'é', 'BUILDKITE_X', 'buildkite', 'bk_x', 'BKey', 'x'.repeat(256)])(
    "a secret's key cannot be %s",
    (key) => expect(secretKeyProblem(key)).toEqual(expect.any(String)),
  );
});
