import { gzipSync } from 'node:zlib';
import { limits } from '../../src/domain/limits/limits.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { newSuite, result, upload } from '../support/suites.js';

let surfaces: BothSurfaces;
let suite: Awaited<ReturnType<typeof newSuite>>;
let keys = 0;
const newKey = () => `key-${(keys += 1)}`;
beforeAll(async () => {
  surfaces = await BothSurfaces.open();
  suite = await newSuite(surfaces, 'RSpec');
});
afterAll(() => surfaces.close());

const post = () => surfaces.collector(suite.authorization);

describe('a large test upload', () => {
  test('a large report is read in a thread, outside the transaction', async () => {
    const cases = Array.from({ length: 500 }, (_, index) => `<testcase classname="large" name="case ${index}"/>`);
    const send = (text: string) =>
      post().field('format', 'junit').field('run_env[key]', newKey()).attach('data', Buffer.from(text), 'junit.xml');
    const done = () => surfaces.world.services.workers.counts()['results.parse'].ended;
    const before = { ...done() };
    const reply = await send(`<testsuites>${cases.join('')}</testsuites>`);
    expect([reply.status, reply.body.queued]).toEqual([202, 500]);
    expect(done().done).toBe(before.done + 1);
    const broken = await send(`<testsuites>${cases.join('')}`);
    expect([broken.status, JSON.stringify(broken.body)]).toEqual([
      422,
      expect.stringContaining('is not well-formed XML'),
    ]);
    const many = await send(`<testsuites>${'<testcase classname="a" name="b"/>'.repeat(5_001)}</testsuites>`);
    expect([many.status, JSON.stringify(many.body)]).toEqual([422, expect.stringContaining('more than 5000 results')]);
  });

  test('a report that takes its thread too much memory is refused with the advice to split it', async () => {
    const reply = await post()
      .field('format', 'junit')
      .field('run_env[key]', newKey())
      .attach('data', gzipSync(`<testsuites>${'<a/>'.repeat(3_000_000)}</testsuites>`), 'junit.xml.gz');
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([422, expect.stringMatching(/too much (memory|time)/)]);
  }, 60_000);

  test('an upload holds at most the documented number of results', async () => {
    const many = Array.from({ length: limits.testResultsPerUpload }, (_, index) => result(`test ${index}`));
    const receipt = await upload(surfaces, suite.authorization, newKey(), many);
    expect(receipt).toMatchObject({ queued: 5_000, skipped: 0, errors: [] });
    const refused = await post().send({
      format: 'json',
      run_env: { key: newKey() },
      data: [...many, result('one more')],
    });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'Validation failed: Data has more than 5000 results; send them in several uploads with the same key',
    ]);
  });
});
