import { ProvisioningError } from '../../src/provisioning/problem.js';
import { readProvisioning } from '../../src/provisioning/read-file.js';

/** Every problem as `line:column: message`. */
function problemsOf(text: string, env: Record<string, string> = {}): string[] {
  try {
    readProvisioning(text, 'slipway.yaml', env);
    return [];
  } catch (error) {
    if (!(error instanceof ProvisioningError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().replace('slipway.yaml:', ''));
  }
}

const user = 'users:\n  - email: ada@example.com\n    name: Ada\n';
const organization = `organizations:\n  - slug: acme\n    name: Acme\n`;
const token = (fields: string) => `api_tokens:\n  - user: ada@example.com\n    description: laptop\n${fields}`;
const wholeToken = 'token: a-token-of-twenty-characters, scopes: all, organizations: all';

describe('reading a provisioning file', () => {
  test.each([
    ['an unknown key at the top', 'colours: []\n', ['1:1: unknown key "colours"']],
    ['an unknown key inside', `${user}    colour: red\n`, ['4:5: unknown key "colour"']],
    ['a key in another spelling', `${organization}    teamsEnabled: true\n`, ['4:5: unknown key "teamsEnabled"']],
    [
      'a number for text',
      'users:\n  - email: ada@example.com\n    name: 42\n',
      ['3:11: name must be text (put it in quotes)'],
    ],
    [
      'text for true or false',
      `${organization}    teams_enabled: "yes"\n`,
      ['4:20: teams_enabled must be true or false'],
    ],
    ['a map for a list', 'users:\n  email: ada@example.com\n', ['2:3: users must be a list']],
    ['text for an entry', 'users:\n  - ada@example.com\n', ['2:5: the entry must be a map']],
    ['a list for the file', '- users\n', ['1:1: the file must be a map']],
    ['a missing value', 'users:\n  - email: ada@example.com\n', ['2:5: name is missing']],
    ['an empty value', 'users:\n  - email: ada@example.com\n    name:\n', ['3:10: name is missing']],
    ['no email address', 'users:\n  - email: ada\n    name: Ada\n', ['2:12: email must be an email address']],
    ['an invalid id', `${organization}    id: 12\n`, ['4:9: id must be text (put it in quotes)']],
    ['an id that is not a UUID', `${organization}    id: acme-1\n`, ['4:9: id must be a UUID']],
    ['a plan that does not exist', `${organization}    plan: gold\n`, ['4:11: plan must be standard or enterprise']],
    [
      'an invalid slug',
      'organizations:\n  - slug: a b\n    name: Acme\n',
      ['2:11: slug must be letters, digits and hyphens'],
    ],
    [
      'a slug of the service itself',
      'organizations:\n  - slug: graphql\n    name: Acme\n',
      ['2:11: slug is reserved for the service itself'],
    ],
    [
      'a role that does not exist',
      `${user}${organization}    members:\n      - {user: ada@example.com, role: king}\n`,
      ['8:39: role must be admin or member'],
    ],
    [
      'a short token',
      token('    token: short\n    scopes: all\n    organizations: all\n'),
      ['2:11: there is no user ada@example.com in this file', '4:12: token must be at least 20 characters'],
    ],
    [
      'a scope that does not exist',
      `${user}${token('    token: a-token-of-twenty-characters\n    scopes: [read_builds, fly]\n    organizations: all\n')}`,
      ['8:27: there is no scope fly'],
    ],
    [
      'scopes that are no list',
      `${user}${token('    token: a-token-of-twenty-characters\n    scopes: read_builds\n    organizations: all\n')}`,
      ['8:13: scopes must be "all" or a list'],
    ],
    [
      'an invalid time',
      `${user}${token('    token: a-token-of-twenty-characters\n    scopes: all\n    organizations: all\n    expires_at: tomorrow\n')}`,
      ['10:17: expires_at must be an ISO 8601 time, such as 2030-01-31T12:00:00Z'],
    ],
    [
      'the same resource twice',
      `${user}  - email: ada@example.com\n    name: Other\n`,
      ['4:12: user ada@example.com is listed twice'],
    ],
    [
      'one token in two entries',
      `${user}api_tokens:\n  - {user: ada@example.com, description: a, ${wholeToken}}\n  - {user: ada@example.com, description: b, ${wholeToken}}\n`,
      ['6:52: another entry of the file has the same token: each token must be unique'],
    ],
    [
      'a variable that is not set',
      'users:\n  - email: ada@example.com\n    name: Ada\n    password: ${PASSWORD}\n',
      ['4:15: the environment variable PASSWORD is not set'],
    ],
    [
      'a variable with a default value',
      'users:\n  - email: ada@example.com\n    name: ${A:-b}\n',
      ['3:11: ${A:-b} does not name an environment variable: write ${NAME}'],
    ],
    ['a key twice in one map', 'users: []\nusers: []\n', ['2:1: Map keys must be unique']],
    ['YAML that does not parse', 'users: [\n', [expect.stringMatching(/^2:1: .*flow/i)]],
    ['two documents', 'users: []\n---\nusers: []\n', [expect.stringContaining('one document to a file')]],
  ])('a file with %s is refused with its position', (_what, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('all problems of a file are reported at once, in order of position', () => {
    const text = `${user}    colour: red\n${organization}    default_cluster: Nope\n    clusters:\n      - name: Default\n        default_queue: none\n    members:\n      - user: bob@example.com\n        role: king\n`;
    expect(problemsOf(text)).toEqual([
      '4:5: unknown key "colour"',
      '8:22: there is no cluster Nope in this file',
      '11:24: there is no queue none in this file',
      '13:15: there is no user bob@example.com in this file',
      '14:15: role must be admin or member',
    ]);
  });

  test('a refused file is named in the error, which says that nothing was changed', () => {
    expect(() => readProvisioning('colours: []\n', 'ops/slipway.yaml', {})).toThrow(
      'ops/slipway.yaml cannot be applied, nothing was changed:\n  ops/slipway.yaml:1:1: unknown key "colours"',
    );
  });

  test('environment variables are replaced inside scalars, booleans included', () => {
    const { plan } = readProvisioning(
      'organizations:\n  - slug: ${SLUG}\n    name: "The ${SLUG} company"\n    teams_enabled: ${TEAMS}\n',
      'slipway.yaml',
      { SLUG: 'acme', TEAMS: 'true' },
    );
    expect(plan).toEqual({ organizations: [{ slug: 'acme', name: 'The acme company', teamsEnabled: true }] });
  });

  test('the value of an environment variable is not expanded again', () => {
    const { plan } = readProvisioning('users:\n  - email: ada@example.com\n    name: ${A}\n', 'slipway.yaml', {
      A: '${B}',
    });
    expect(plan).toMatchObject({ users: [{ name: '${B}' }] });
  });

  test('an empty file is a valid plan without entries', () => {
    expect(problemsOf('')).toEqual([]);
    expect(problemsOf('# nothing yet\n')).toEqual([]);
    expect(problemsOf('users:\n')).toEqual([]);
  });

  test('two unset variables are reported as unset, not as a repeated token', () => {
    const suites =
      '    suites:\n      - {slug: a, name: A, default_branch: main, token: "${A}"}\n      - {slug: b, name: B, default_branch: main, token: "${B}"}\n';
    const problems = problemsOf(`${organization}${suites}`);
    expect(problems.map((problem) => problem.replace(/^.*variable/, ''))).toEqual([' A is not set', ' B is not set']);
  });

  test('anchors and aliases are expanded, and one that contains itself is refused', () => {
    expect(problemsOf('users: &people\n  - email: ada@example.com\n    name: Ada\norganizations: []\n')).toEqual([]);
    expect(problemsOf('users: &people\n  - *people\n').length).toBeGreaterThan(0);
  });
});
