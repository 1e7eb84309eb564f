import { describe, expect, test } from 'vitest';
import { matching, readWords } from '../../../src/console/layout/palette-words';

describe('words typed into the palette', () => {
  test.each([
    ['#12', 'app', 'acme/app/12'],
    ['12', 'app', 'acme/app/12'],
    ['12', undefined, null],
    ['shop#7', 'app', 'acme/shop/7'],
    ['shop 7', undefined, 'acme/shop/7'],
    ['shop/7', undefined, 'acme/shop/7'],
    ['my-shop # 7', undefined, 'acme/my-shop/7'],
    ['shop', 'app', null],
    ['#99999999999', 'app', null],
  ])('%s on the page of %s names the build %s', (typed, pipeline, build) => {
    expect(readWords(typed, 'acme', pipeline).build).toBe(build);
  });

  test('seven digits and more begin a commit, and nothing is looked for everywhere by a single letter', () => {
    expect(readWords(` ${'A'.repeat(40)} `, 'acme', undefined)).toMatchObject({ commit: 'a'.repeat(40), isLong: true });
    expect(readWords('ABCDEF1', 'acme', undefined).commit).toBe('abcdef1');
    expect(readWords('abcdef', 'acme', undefined)).toMatchObject({ commit: null, message: 'abcdef' });
    const nothing = { text: 'a', build: null, commit: null, message: null, isLong: false };
    expect(readWords('a', null, 'app')).toEqual(nothing);
  });

  const pages = ['Pipelines', 'Agents', 'Clusters', 'Notification services', 'Audit log'].map((text) => ({ text }));
  test.each([
    ['', 5, 'Pipelines'],
    ['agent', 1, 'Agents'],
    ['notifcation', 1, 'Notification services'],
    ['pipleines', 1, 'Pipelines'],
    ['xyzzy', 0, undefined],
    ['q', 0, undefined],
  ])('%j finds %i pages', (typed, count, first) => {
    const found = matching(pages, typed);
    expect([found.length, found[0]?.text]).toEqual([count, first]);
  });
});
