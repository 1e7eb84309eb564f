import { examples } from '../../../src/console/pages/new-pipeline/examples.js';
import { badgeAddress, badgeTexts, badgeThemes } from '../../../src/console/pages/pipeline/badge-text.js';
import { badgeTheme } from '../../../src/domain/pipelines/badge.js';
import { parseConfigurationText } from '../../../src/domain/pipelines/steps/configuration.js';

/** What the console offers is what the server takes: it cannot import the server itself. */
describe('texts of the console about pipelines', () => {
  test.each(examples.map(({ name, yaml }) => [name, yaml]))('steps to begin with are valid: %s', (_name, yaml) => {
    expect(parseConfigurationText(yaml)).toMatchObject({ ok: true });
  });

  test('each theme of a badge has colors of its own', () => {
    const colors = badgeThemes.map((theme) => JSON.stringify(badgeTheme(theme)));
    expect(new Set(colors).size).toBe(badgeThemes.length);
  });

  test('the address of a badge says what is chosen, and nothing else', () => {
    const nothing = { branch: ' ', step: '', theme: 'default', square: false };
    expect(badgeAddress('http://ci/badge/t.svg', nothing)).toBe('http://ci/badge/t.svg');
    const all = { branch: 'a&b', step: 'Test 1', theme: 'mono', square: true };
    expect(badgeAddress('http://ci/badge/t.svg', all)).toBe(
      'http://ci/badge/t.svg?branch=a%26b&step=Test+1&theme=mono&style=square',
    );
  });

  test('a name cannot leave the markup of its badge', () => {
    for (const { text } of badgeTexts('a](x)"><b>`|', 'http://ci/b?x=1&y=2', 'http://ci/p'))
      expect(text).not.toMatch(/\]\(x\)|"><b>|`|\|/);
  });
});
