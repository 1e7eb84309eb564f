import { payloadText } from '../../../../src/engine/notifications/payload-text.js';
import { byteLength, limits } from '../../../../src/domain/limits/limits.js';

describe('the text of a payload', () => {
  test('a payload within the limit is the JSON of its members', () => {
    expect(payloadText({ event: 'build.finished', build: { id: 'b' } })).toBe(
      '{"event":"build.finished","build":{"id":"b"}}',
    );
  });

  test('a payload above the limit goes without its largest members and names them', () => {
    const build = { id: 'b', meta_data: { k: 'x'.repeat(30_000_000) }, message: 'kept' };
    const pipeline = { slug: 'p', steps: ['y'.repeat(20_000_000)] };
    const text = payloadText({ event: 'build.finished', build, pipeline });
    expect(byteLength(text)).toBeLessThan(limits.notificationBytes);
    expect(JSON.parse(text)).toEqual({
      event: 'build.finished',
      build: { id: 'b', message: 'kept' },
      pipeline: { slug: 'p' },
      omitted: ['build.meta_data', 'pipeline.steps'],
    });
  });

  test('a member whose text would be longer than a string can be is left out, and nothing fails', () => {
    const large = Array<string>(40).fill('z'.repeat(16_000_000));
    expect(() => JSON.stringify(large)).toThrow(RangeError);
    expect(JSON.parse(payloadText({ event: 'job.finished', job: { id: 'j', env: large } }))).toEqual({
      event: 'job.finished',
      job: { id: 'j' },
      omitted: ['job.env'],
    });
  });
});
