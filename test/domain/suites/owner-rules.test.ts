import { ownersByRules, readOwnerRules } from '../../../src/domain/suites/owners/owner-rules.js';

const rulesOf = (text: string) => {
  const rules = readOwnerRules(text);
  if ('problem' in rules) throw new Error(rules.problem);
  return rules;
};

describe('a TESTOWNERS file', () => {
  test('has patterns with slugs of teams, comments and blank lines', () => {
    expect(rulesOf('# all\n\n*  platform # in the end\r\n/spec/web/ web web qa\nwith\\ space/* docs\n*.md\n')).toEqual([
      { pattern: '*', teams: ['platform'] },
      { pattern: '/spec/web/', teams: ['web', 'qa'] },
      { pattern: 'with\\ space/*', teams: ['docs'] },
    ]);
  });

  test.each([
    ['* platform\n!spec web', 'line 2: a pattern cannot be negated'],
    ['[ab].rb web', 'line 1: a pattern has no ranges of characters'],
    ['* @acme/web', 'line 1: "@acme/web" is not the slug of a team'],
    ['* Web', 'line 1: "Web" is not the slug of a team'],
    [`${'a'.repeat(501)} web`, 'line 1: a pattern has at most 500 characters'],
    [`* ${Array.from({ length: 21 }, (_, index) => `t${index}`).join(' ')}`, 'line 1: has more than 20 teams'],
    ['* web\n'.repeat(2_001), 'has more than 2000 rules'],
  ])('%j has a problem', (text, problem) => expect(readOwnerRules(text)).toEqual({ problem }));

  test.each([
    ['spec/web/login_spec.rb', ['web', 'qa']],
    ['./spec/web/login_spec.rb', ['web', 'qa']],
    ['/spec/web/login_spec.rb', ['web', 'qa']],
    ['spec\\web\\login_spec.rb', ['web', 'qa']],
    ['other/spec/web/login_spec.rb', ['platform']],
    ['spec/models/user_spec.rb', ['models']],
    ['spec/models/deep/user_spec.rb', ['platform']],
    ['lib/a.go', ['go']],
    ['docs/guide.txt', ['platform']],
    ['../outside.rb', []],
    ['', []],
  ])('gives %s to %j', (file, owners) => {
    const rules = rulesOf('* platform\n/spec/web/ web qa\nspec/models/* models\n**/*.go go\n*.md\n');
    expect(ownersByRules(rules, [file])).toEqual([owners]);
  });

  test('without a rule gives tests to nobody', () => expect(ownersByRules([], ['a.rb'])).toEqual([[]]));
});
