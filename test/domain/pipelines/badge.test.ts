import {
  badgeStatus,
  badgeStatusOfStep,
  badgeStyle,
  badgeTheme,
  sampleStatus,
} from '../../../src/domain/pipelines/badge.js';

test.each([
  ['passed', 'passing'],
  ['failed', 'failing'],
  ['canceled', 'unknown'],
  ['running', 'unknown'],
  [null, 'unknown'],
])('the badge of a last build in state %s shows %s', (state, status) => {
  expect(badgeStatus(state)).toBe(status);
});

test('the badge of a step shows passing only if all its jobs passed', () => {
  expect(badgeStatusOfStep([])).toBe('unknown');
  expect(badgeStatusOfStep([true, true])).toBe('passing');
  expect(badgeStatusOfStep([true, false])).toBe('failing');
});

const plain = {
  passing: '#4c1',
  failing: '#e05d44',
  unknown: '#9f9f9f',
  label: '#555',
  labelText: '#fff',
  statusText: '#fff',
};

test.each([
  null,
  'default',
  'no such theme',
  'toString',
  '4c1,e05d44',
  '4c1,e05d44,9f9f9f,555,fff,fff,fff',
  'red,green,blue',
  '12,34,56',
  '4c1,e05d44,"/>',
])('the badge theme %j falls back to the default theme', (name) => {
  expect(badgeTheme(name)).toEqual(plain);
});

test('a badge theme is chosen by name or given as a list of colours', () => {
  expect(badgeTheme('github')).toEqual({
    ...plain,
    passing: '#77F177',
    failing: '#F88',
    unknown: '#aaa',
    label: '#666',
  });
  expect(badgeTheme('Saturn')).toMatchObject({ label: '#201632', labelText: '#b4a1d6', statusText: '#fff' });
  expect(badgeTheme('000,111,222')).toEqual({ ...plain, passing: '#000', failing: '#111', unknown: '#222' });
  expect(badgeTheme('#000, #111, #222, #333, #444')).toMatchObject({
    label: '#333',
    labelText: '#444',
    statusText: '#444',
  });
});

test('an unknown badge style means flat, and an unknown sample status means unknown', () => {
  expect([null, 'square', 'flat-square', 'round'].map(badgeStyle)).toEqual([
    'flat',
    'flat-square',
    'flat-square',
    'flat',
  ]);
  expect([null, 'passing', 'nonsense'].map(sampleStatus)).toEqual(['unknown', 'passing', 'unknown']);
});
