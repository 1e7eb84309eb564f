import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { PipelineDocument, Plain } from '../../src/agent/pipeline-upload/pipeline-text.js';
import { canonicalJson, signedFieldsOf } from '../../src/agent/signing/canonical-step.js';
import { chooseKey, type Key, readKeySet, signatureAlgorithms, writeKeyPair } from '../../src/agent/signing/key-set.js';
import { signPipeline } from '../../src/agent/signing/sign-pipeline.js';
import { findForgery } from '../../src/agent/signing/verify-job.js';
import type { JobPayload } from '../../src/agent/wire.js';
import { temporaryDirectory } from '../support/database.js';

const repository = 'git@example.com:acme/app.git';
const folder = temporaryDirectory();
let key: Key;
let verifying: Key[];
beforeAll(async () => {
  const privatePath = join(folder.path, 'private.json');
  const publicPath = join(folder.path, 'public.json');
  await writeKeyPair({ algorithm: 'EdDSA', keyId: 'first', privatePath, publicPath });
  key = chooseKey(await readKeySet(privatePath), undefined);
  verifying = await readKeySet(publicPath);
});
afterAll(() => folder.remove());

type Step = { [field: string]: Plain };
async function signed(step: Step, top: PipelineDocument = {}): Promise<Step> {
  const { steps } = await signPipeline({ ...top, steps: [step] }, key, repository);
  return (steps as Step[])[0] ?? {};
}

/** The job of a signed step as a server makes it, with changes. */
function jobOf(step: Step, env: Record<string, string> = {}, more: Partial<JobPayload> = {}): JobPayload {
  const fields = signedFieldsOf(step);
  return {
    id: 'job',
    chunks_max_size_bytes: 1,
    step,
    env: {
      BUILDKITE_REPO: repository,
      BUILDKITE_COMMAND: fields.command,
      ...fields.env,
      ...(fields.plugins && { BUILDKITE_PLUGINS: JSON.stringify(fields.plugins) }),
      BUILDKITE_BUILD_NUMBER: '1',
      ...env,
    },
    ...more,
  };
}

test('canonical JSON is the same for equal values, whatever the order of their members', () => {
  expect(canonicalJson({ b: [1, 'é\n', null], a: { d: true, c: 1e21 } })).toBe(
    '{"a":{"c":1e+21,"d":true},"b":[1,"é\\n",null]}',
  );
  expect(() => canonicalJson({ command: 'a\ud800' })).toThrow('Lone surrogate');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).reverse()) as Plain;
      expect(canonicalJson(reversed)).toBe(canonicalJson(object as Plain));
      expect(JSON.parse(canonicalJson(object as Plain))).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
});

test.each<[string, Step, object]>([
  ['a list of commands', { commands: ['a', 2] }, { command: 'a\n2' }],
  ['numbers and booleans in env', { env: { A: 1, B: true, C: null } }, { env: { A: '1', B: 'true', C: '' } }],
  ['an empty env', { env: {} }, { env: null }],
  [
    'plugins by short names',
    { plugins: ['docker#v5', { 'acme/x#main': {} }, { './own': { a: 1 } }] },
    {
      plugins: [
        { 'github.com/buildkite-plugins/docker-buildkite-plugin#v5': null },
        { 'github.com/acme/x-buildkite-plugin#main': null },
        { './own': { a: 1 } },
      ],
    },
  ],
  ['a matrix of one dimension', { matrix: { setup: [1, 'b'] } }, { matrix: ['1', 'b'] }],
  [
    'a matrix with adjustments',
    { matrix: { setup: { os: 'linux' }, adjustments: [{ with: { os: 'mac' }, skip: true }] } },
    { matrix: { setup: { os: ['linux'] }, adjustments: [{ with: { os: 'mac' }, skip: true }] } },
  ],
  ['secrets as a map', { secrets: { VAR: 'key' } }, { secrets: [{ key: 'key', environment_variable: 'VAR' }] }],
  ['an empty checkout', { checkout: { skip: null } }, { checkout: null }],
])('%s has one form that is signed', (_name, step, fields) => {
  expect(signedFieldsOf(step)).toMatchObject(fields);
});

test('command steps are signed, in groups too, and no others; the signature covers repository and variables of the pipeline', async () => {
  const { steps } = await signPipeline(
    {
      env: { TOP: 'x', OWN: 'y' },
      secrets: ['SHARED'],
      steps: [
        'wait',
        { group: 'g', steps: [{ command: 'a', env: { OWN: 'z' } }] },
        { trigger: 'other' },
        { block: 'Go' },
      ],
    },
    key,
    repository,
  );
  const [wait, group, trigger, block] = steps as [Plain, { steps: [Step] }, Step, Step];
  expect([wait, trigger, block]).toEqual(['wait', { trigger: 'other' }, { block: 'Go' }]);
  expect(group.steps[0]['signature']).toEqual({
    algorithm: 'EdDSA',
    signed_fields: ['command', 'env', 'env::TOP', 'matrix', 'plugins', 'repository_url', 'secrets'],
    value: expect.stringMatching(/^[\w-]+\.\.[\w-]+$/),
  });
  expect(group.steps[0]['secrets']).toEqual([{ key: 'SHARED', environment_variable: 'SHARED' }]);
  await expect(signPipeline({ checkout: { skip: true }, steps: [] }, key, repository)).rejects.toThrow(/"checkout"/);
});

describe('a signed job', () => {
  const whole: Step = {
    command: 'make {{matrix.os}}',
    env: { A: '{{matrix.os}}' },
    plugins: [{ './say': { word: '{{matrix.os}}' } }],
    matrix: {
      setup: { os: ['linux', 'mac'] },
      adjustments: [{ with: { os: 'bsd' } }, { with: { os: 'mac' }, skip: true }],
    },
    secrets: ['KEY'],
    checkout: { submodules: false },
  };
  const of = (os: string, env: Record<string, string> = {}) => ({
    env: {
      BUILDKITE_COMMAND: `make ${os}`,
      A: os,
      BUILDKITE_PLUGINS: JSON.stringify([{ './say': { word: os } }]),
      TOP: 'x',
      ...env,
    },
    more: { matrix_permutation: { os } },
  });
  const forgery = async (change: (step: Step) => Step, { env, more } = of('linux'), keys = verifying) =>
    findForgery(jobOf(change(await signed(whole, { env: { TOP: 'x' } })), env, more), keys);

  test('is what its step was signed to be, for every combination and adjustment of its matrix', async () => {
    for (const os of ['linux', 'bsd']) expect(await forgery((step) => step, of(os))).toBeNull();
    for (const os of ['mac', 'windows'])
      expect(await forgery((step) => step, of(os))).toBe('The values of this job are not in the signed matrix.');
  });

  test.each<[string, (step: Step) => Step, ReturnType<typeof of>, RegExp]>([
    ['another command in the step', (step) => ({ ...step, command: 'rm -rf /' }), of('linux'), /does not match it/],
    ['another command in the job', (step) => step, of('linux', { BUILDKITE_COMMAND: 'rm' }), /command of this job/],
    ['another variable in the job', (step) => step, of('linux', { A: 'b' }), /variable A of this job/],
    ['another variable of the pipeline', (step) => step, of('linux', { TOP: 'y' }), /does not match it/],
    ['other plugins in the job', (step) => step, of('linux', { BUILDKITE_PLUGINS: '' }), /plugins of this job/],
    ['another repository', (step) => step, of('linux', { BUILDKITE_REPO: 'evil' }), /does not match it/],
    ['another secret', (step) => ({ ...step, secrets: ['OTHER'] }), of('linux'), /does not match it/],
    ['another checkout', (step) => ({ ...step, checkout: { skip: true } }), of('linux'), /does not match it/],
    ['no signature', ({ signature: _, ...step }) => step, of('linux'), /is not signed/],
    ['an unreadable signature', (step) => ({ ...step, signature: { value: 1 } }), of('linux'), /cannot be read/],
    [
      'a field that was taken out of the signature',
      (step) => ({ ...step, signature: { ...(step['signature'] as Step), signed_fields: ['command'] } }),
      of('linux'),
      /does not cover env, plugins, matrix, repository_url, secrets, checkout/,
    ],
    [
      'an unknown signed field',
      (step) => ({ ...step, signature: { ...(step['signature'] as Step), signed_fields: ['label'] } }),
      of('linux'),
      /unknown field label/,
    ],
    [
      'another algorithm',
      (step) => ({ ...step, signature: { ...(step['signature'] as Step), algorithm: 'none' } }),
      of('linux'),
      /does not match it/,
    ],
  ])('with %s is refused', async (_name, change, job, message) => {
    expect(await forgery(change, job)).toMatch(message);
  });

  test('is refused with the keys of somebody else, whatever their id', async () => {
    const [privatePath, publicPath] = [join(folder.path, 'other-private.json'), join(folder.path, 'other-public.json')];
    await writeKeyPair({ algorithm: 'EdDSA', keyId: 'first', privatePath, publicPath });
    expect(await forgery((step) => step, of('linux'), await readKeySet(publicPath))).toMatch(/does not match it/);
    expect(await forgery((step) => step, of('linux'), [...(await readKeySet(publicPath)).slice(1)])).toMatch(
      /not match/,
    );
  });
});

test.each(signatureAlgorithms)(
  'a pair of keys for %s signs and verifies, in files that only their owner reads',
  async (algorithm) => {
    const [privatePath, publicPath] = [
      join(folder.path, `${algorithm}-a.json`),
      join(folder.path, `${algorithm}-b.json`),
    ];
    await writeKeyPair({ algorithm, privatePath, publicPath });
    expect(statSync(privatePath).mode & 0o777).toBe(0o600);
    const { steps } = await signPipeline(
      { steps: [{ command: 'x' }] },
      chooseKey(await readKeySet(privatePath), undefined),
      repository,
    );
    const [step = {}] = steps as Step[];
    expect(await findForgery(jobOf(step), await readKeySet(publicPath))).toBeNull();
    expect((await readKeySet(publicPath))[0]).not.toHaveProperty('d');
    await expect(writeKeyPair({ algorithm, privatePath, publicPath })).rejects.toThrow(/exists already/);
  },
);

test.each([
  ['no JSON', 'keys', /cannot be read \(no JSON\)/],
  ['no keys', '{"keys": []}', /holds no keys/],
  ['a key without an id', '{"keys": [{"kty": "OKP", "alg": "EdDSA"}]}', /has no id/],
  ['a shared secret', '{"keys": [{"kid": "a", "kty": "oct", "alg": "HS512"}]}', /not for one of EdDSA, ES512, PS512/],
])('a file with %s is no key set', async (_name, text, message) => {
  const path = join(folder.path, 'wrong.json');
  writeFileSync(path, text);
  await expect(readKeySet(path)).rejects.toThrow(message);
  await expect(readKeySet(join(folder.path, 'absent.json'))).rejects.toThrow(/ENOENT/);
  expect(() => chooseKey([key, key], undefined)).toThrow(/several keys/);
  expect(() => chooseKey([key], 'second')).toThrow(/no key second/);
});
