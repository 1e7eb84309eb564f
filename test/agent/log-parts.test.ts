import type { LogChunk } from '../../src/agent/job/job-client.js';
import { LineStamps } from '../../src/agent/job/line-stamps.js';
import { LogStreamer } from '../../src/agent/job/log-streamer.js';
import { silentLog } from '../../src/agent/options.js';

describe('line timestamps', () => {
  const stamped = (...chunks: string[]): string => {
    const stamps = new LineStamps(() => 42);
    return chunks
      .map((chunk) => stamps.push(Buffer.from(chunk)).toString())
      .join('')
      .replaceAll('\x1b_bk;t=42\x07', '|');
  };

  test.each([
    [['a\nb\n'], '|a\n|b\n'],
    [['a', 'b\n', 'c'], '|ab\n|c'],
    [['\n\n'], '|\n|\n'],
    [['', 'a\n', ''], '|a\n'],
    [['a\rb\r\n'], '|a\rb\r\n'],
  ])('each line gets one timestamp at its start, for chunks and result %j', (chunks, expected) => {
    expect(stamped(...chunks)).toBe(expected);
  });
});

describe('the log streamer', () => {
  test('the log streamer blocks writers while too many bytes wait, and resumes them afterwards', async () => {
    const gates: (() => void)[] = [];
    const uploads: LogChunk[] = [];
    const streamer = new LogStreamer({
      upload: async (chunk) => {
        uploads.push(chunk);
        await new Promise<void>((resolve) => gates.push(resolve));
      },
      maxChunkBytes: 10,
      intervalSeconds: 60,
      log: silentLog,
      highWaterBytes: 50,
    });
    let held = true;
    await streamer.write(Buffer.alloc(40));
    const writing = streamer.write(Buffer.alloc(20)).then(() => {
      held = false;
    });
    await new Promise(setImmediate);
    expect([held, uploads.length]).toEqual([true, 3]);
    while (held) {
      gates.shift()?.();
      await new Promise(setImmediate);
    }
    await writing;
    expect(uploads.length).toBeLessThanOrEqual(6);
    const closing = streamer.close();
    for (let round = 0; round < 10; round += 1) {
      gates.splice(0).forEach((open) => open());
      await new Promise(setImmediate);
    }
    await expect(closing).resolves.toBe(0);
    expect(uploads.map((chunk) => [chunk.sequence, chunk.offset])).toEqual([
      [1, 0],
      [2, 10],
      [3, 20],
      [4, 30],
      [5, 40],
      [6, 50],
    ]);
  });

  test('the log streamer uploads nothing for an empty log', async () => {
    const streamer = new LogStreamer({
      upload: () => Promise.reject(new Error('no')),
      maxChunkBytes: 10,
      intervalSeconds: 60,
      log: silentLog,
    });
    await streamer.write(Buffer.alloc(0));
    await expect(streamer.close()).resolves.toBe(0);
  });
});
