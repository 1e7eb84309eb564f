import {
  branchFilterProblem,
  isMatch,
  readMatch,
  readNames,
  readTagFilter,
} from '../../../src/domain/suites/test-filters.js';

test.each([
  ['main', { text: 'main', prefix: false, excluded: false }],
  ['!main', { text: 'main', prefix: false, excluded: true }],
  ['feature/*', { text: 'feature/', prefix: true, excluded: false }],
  ['!feature/*', { text: 'feature/', prefix: true, excluded: true }],
  ['*', { text: '', prefix: true, excluded: false }],
  ['a!b*c', { text: 'a!b*c', prefix: false, excluded: false }],
])('a filter reads %s', (value, match) => expect(readMatch(value)).toEqual(match));

test.each([
  ['framework:rspec', { key: 'framework', match: readMatch('rspec'), of: 'matching' }],
  ['url:http://a', { key: 'url', match: readMatch('http://a'), of: 'matching' }],
  ['result:~failed', { key: 'result', match: readMatch('failed'), of: 'some' }],
  ['result:^!skipped', { key: 'result', match: readMatch('!skipped'), of: 'every' }],
  ['framework', { problem: 'must be of the form key:value' }],
  ['framework:', { problem: 'must be of the form key:value' }],
  [':rspec', { problem: 'must be of the form key:value' }],
  ['framework:^rspec', { problem: 'takes ~ and ^ for the tag result only' }],
])('a filter of tags reads %s', (filter, read) => expect(readTagFilter(filter)).toEqual(read));

test('a filter of branches has one operator, and names are asked for or not wanted', () => {
  expect(['main', '!main', 'x*'].map(branchFilterProblem)).toEqual([null, null, null]);
  expect(branchFilterProblem('!x*')).toBe('takes one operator at most');
  expect(readNames(['a', '!b', 'c'])).toEqual({ wanted: ['a', 'c'], unwanted: ['b'] });
});

test.each([
  ['main', ['main'], ['mains', null]],
  ['!main', ['mains', null], ['main']],
  ['feature/*', ['feature/a', 'feature/'], ['a', null]],
  ['!feature/*', ['a', null], ['feature/a']],
])('a filter %s matches %j and not %j', (filter, yes, no) => {
  const match = readMatch(filter);
  expect([...yes, ...no].filter((value) => isMatch(value, match))).toEqual(yes);
});
