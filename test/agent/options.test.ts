import { hostname } from 'node:os';

import { expandAgentName } from '../../src/agent/session/agent-name.js';
import { shellWords } from '../../src/agent/job/command.js';
import { resolveOptions, type AgentOptions } from '../../src/agent/options.js';
import { stepSecrets } from '../../src/agent/job/step-secrets.js';

const base: AgentOptions = { endpoint: 'http://127.0.0.1:1/v3', token: 'secret' };

test.each<[string, Partial<AgentOptions>]>([
  ['endpoint', { endpoint: 'ftp://example.com' }],
  ['token', { token: ' ' }],
  ['tags', { tags: ['queue'] }],
  ['spawn', { spawn: 1.5 }],
  ['spawn', { spawn: 2, acquireJob: 'a-job' }],
  ['cancelGracePeriod', { cancelGracePeriod: Number.NaN }],
])('an invalid option %s is refused by name: %j', (name, options) => {
  expect(() => resolveOptions({ ...base, ...options })).toThrow(new RegExp(`^${name}: `));
});

test.each([
  [{}, '%hostname-%n'],
  [{ name: 'box' }, 'box'],
  [{ name: 'box', spawn: 2 }, 'box-%n'],
  [{ name: 'box-%spawn', spawn: 2 }, 'box-%spawn'],
  [{ name: 'box-%n', spawn: 2 }, 'box-%n'],
])('the agent name for the options %j is %s', (options, name) => {
  expect(resolveOptions({ ...base, ...options }).name).toBe(name);
});

test('the option queue is added to the tags as queue=NAME, in place of another one', () => {
  expect(resolveOptions({ ...base, tags: ['queue=slow', 'os=linux'], queue: 'fast' }).tags).toEqual([
    'os=linux',
    'queue=fast',
  ]);
  expect(resolveOptions({ ...base, tags: ['os=linux'], queue: 'fast' }).tags).toEqual(['os=linux', 'queue=fast']);
});

test('placeholders in an agent name are expanded, except %n, which only the server can count', () => {
  expect(expandAgentName('%hostname-%spawn-%pid-%n', 3)).toBe(`${hostname()}-3-${process.pid}-%n`);
  expect(expandAgentName('%random', 1)).toMatch(/^[0-9a-f]{16}$/);
});

test('a shell option is split into words, and a missing or blank one means the default shell', () => {
  expect(shellWords('zsh  -c')).toEqual(['zsh', '-c']);
  expect(shellWords(' ')).toEqual(shellWords(undefined));
  expect(shellWords(undefined).slice(1)).toEqual(['-e', '-c']);
});

test.each([
  [undefined, []],
  [null, []],
  [
    ['A', { key: 'B' }, { key: 'C', environment_variable: 'D' }, 7, {}],
    [
      { key: 'A', variable: 'A' },
      { key: 'B', variable: 'B' },
      { key: 'C', variable: 'D' },
    ],
  ],
  [{ D: 'C', E: 7 }, [{ key: 'C', variable: 'D' }]],
])('the step secrets %j are read as %j', (secrets, expected) => {
  expect(stepSecrets(secrets)).toEqual(expected);
});
