import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { examplesOf, pages, withExamples } from '../../scripts/include-examples.mjs';

test('pages show the files of examples as they are (npm run guide copies them)', () => {
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');
    expect({ page, text }).toEqual({ page, text: withExamples(text) });
  }
});

test('the guide shows every program of examples/guide once', () => {
  const shown = pages.flatMap((page) => examplesOf(readFileSync(page, 'utf8')));
  const programs = shown.filter((path) => path.startsWith('examples/guide/'));
  expect(programs.sort()).toEqual(globSync('examples/guide/**/*.{sh,ts,py,go}').sort());
});
