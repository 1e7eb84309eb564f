import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { appendChunk, type AppendOutcome } from '../../src/storage/logs/append-chunk.js';
import { defaultLogLimits, logFolder, type LogLimits, type LogStore } from '../../src/storage/logs/chunk-index.js';
import { compactLog } from '../../src/storage/logs/compact-log.js';
import { LogRenderer, type RendererState } from '../../src/domain/builds/logs/terminal/log-renderer.js';
import { jobLogJson, renderLog, scanHeaders } from '../../src/storage/logs/forms.js';
import { measureLog, readLog } from '../../src/storage/logs/read-log.js';
import { MemoryChunkIndex } from './memory-chunk-index.js';
import { MemoryStorage } from './memory-storage.js';

const ref = { organizationId: 'org', buildId: 'build', jobId: 'job' };
const finished = { jobId: 'job', finished: true };
const running = { jobId: 'job', finished: false };

interface Opened extends LogStore {
  storage: MemoryStorage;
  index: MemoryChunkIndex;
  damage: string[];
}

function open(limits: Partial<LogLimits> = {}): Opened {
  const damage: string[] = [];
  return {
    storage: new MemoryStorage(),
    index: new MemoryChunkIndex(),
    limits: { ...defaultLogLimits, ...limits },
    damage,
    onDamage: (_, { sequence }, reason) => damage.push(`${sequence} ${reason}`),
  };
}

function send(store: LogStore, sequence: number, offset: number, text: string | Uint8Array): Promise<AppendOutcome> {
  const bytes = Buffer.from(text);
  return appendChunk(store, ref, { sequence, offset, size: bytes.length, bytes });
}

async function outcome(promise: Promise<AppendOutcome>): Promise<string> {
  return (await promise).outcome;
}

async function text(source: AsyncIterable<Uint8Array | string>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of source) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

describe('appending to a log', () => {
  test('chunks that arrive out of order, twice or simultaneously make a log of the bytes in order', async () => {
    const store = open();
    expect(await outcome(send(store, 3, 10, 'ccc'))).toBe('stored');
    expect(await text(readLog(store, running))).toBe('');
    expect(await outcome(send(store, 1, 0, 'aaaaa'))).toBe('stored');
    expect(await text(readLog(store, running))).toBe('aaaaa');
    expect((await Promise.all([send(store, 2, 5, 'bbbbb'), send(store, 2, 5, 'bbbbb')])).map((o) => o.outcome)).toEqual(
      ['stored', 'stored'],
    );
    expect(await outcome(send(store, 2, 5, 'bbbbb'))).toBe('repeated');
    expect(await text(readLog(store, running))).toBe('aaaaabbbbbccc');
    expect(await measureLog(store, running)).toBe(13);
    expect(store.storage.objects.size).toBe(3);
  });

  test('different bytes for a stored chunk number are dropped, also when both arrive at once', async () => {
    const store = open();
    const both = await Promise.all([send(store, 1, 0, 'first'), send(store, 1, 0, 'other')]);
    expect(both.map((o) => o.outcome).sort()).toEqual(['conflict', 'stored']);
    const winner = both[0]?.outcome === 'stored' ? 'first' : 'other';
    expect(await outcome(send(store, 1, 0, 'third'))).toBe('conflict');
    expect(await text(readLog(store, running))).toBe(winner);
    expect(store.storage.objects.size).toBe(1);
  });

  test.each([
    [
      'a wrong size',
      { sequence: 1, offset: 0, size: 4, bytes: Buffer.from('abc') },
      'size is 4 but the chunk has 3 bytes',
    ],
    [
      'a negative offset',
      { sequence: 1, offset: -1, size: 0, bytes: Buffer.alloc(0) },
      'offset must be a non-negative integer',
    ],
    [
      'a fractional sequence',
      { sequence: 1.5, offset: 0, size: 0, bytes: Buffer.alloc(0) },
      'sequence must be a non-negative integer',
    ],
    [
      'too many bytes',
      { sequence: 1, offset: 0, size: 102_401, bytes: Buffer.alloc(102_401) },
      'chunk is larger than 102400 bytes',
    ],
  ])('a chunk with %s is refused', async (_, chunk, message) => {
    const store = open();
    expect(await appendChunk(store, ref, chunk)).toEqual({ outcome: 'refused', message });
    expect(store.storage.objects.size).toBe(0);
  });

  test('bytes beyond the maximum size of a log are accepted and discarded', async () => {
    const store = open({ logMaxBytes: 8 });
    expect(await outcome(send(store, 1, 0, '12345'))).toBe('stored');
    expect(await outcome(send(store, 2, 5, '67890'))).toBe('stored');
    expect(await outcome(send(store, 2, 5, '67890'))).toBe('repeated');
    expect(await outcome(send(store, 3, 10, 'more'))).toBe('discarded');
    expect(await outcome(send(store, 4, 0, 'overlapping'))).toBe('discarded');
    expect(await text(readLog(store, finished))).toBe('12345678');
  });

  test('chunks beyond the maximum number, and empty ones, are accepted and discarded', async () => {
    const store = open({ logMaxChunks: 2 });
    expect(await outcome(send(store, 1, 0, 'a'))).toBe('stored');
    expect(await outcome(send(store, 2, 1, ''))).toBe('discarded');
    expect(await outcome(send(store, 3, 1, 'b'))).toBe('stored');
    expect(await outcome(send(store, 4, 2, 'c'))).toBe('discarded');
  });

  test('a chunk is stored as the gzip it came in, unless that takes more room than its content', async () => {
    const store = open();
    const bytes = Buffer.from('hello '.repeat(100));
    const gzip = gzipSync(bytes, { level: 9 });
    const padded = Buffer.concat([gzip.subarray(0, 10), Buffer.alloc(2000, 'x'), Buffer.from([0]), gzip.subarray(10)]);
    padded[3] = 8;
    for (const [index, sent] of [gzip, padded].entries()) {
      const chunk = { sequence: index, offset: index * bytes.length, size: bytes.length, bytes, gzip: sent };
      expect((await appendChunk(store, ref, chunk)).outcome).toBe('stored');
    }
    const [kept, packed] = [...store.storage.objects.values()].map((object) => object.bytes);
    expect(kept).toEqual(gzip);
    expect(packed!.length).toBeLessThan(100);
    expect(await text(readLog(store, running))).toBe(`${bytes}${bytes}`);
  });
});

describe('gaps and overlaps in a log', () => {
  test('a running log ends before a gap, and a finished log skips it', async () => {
    const store = open();
    await send(store, 1, 0, 'aaa');
    await send(store, 3, 6, 'ccc');
    expect(await text(readLog(store, running))).toBe('aaa');
    expect(await measureLog(store, running)).toBe(3);
    expect(await text(readLog(store, finished))).toBe('aaaccc');
    expect(await measureLog(store, finished)).toBe(6);
  });

  test('where chunks overlap, the one that begins first wins', async () => {
    const store = open();
    await send(store, 2, 2, 'BBBB');
    await send(store, 3, 3, 'x');
    await send(store, 1, 0, 'AAAA');
    expect(await text(readLog(store, finished))).toBe('AAAABB');
    await compactLog(store, ref);
    expect(await text(readLog(store, finished))).toBe('AAAABB');
  });
});

describe('log compaction', () => {
  let original: { store: Opened; whole: Buffer };
  beforeAll(async () => {
    const store = open();
    const whole = Buffer.from(Array.from({ length: 40 }, (_, i) => `${i} `.repeat(30_000)).join('')).subarray(
      0,
      2_500_000,
    );
    for (let offset = 0, sequence = 1; offset < whole.length; offset += 100_000, sequence++) {
      await send(store, sequence, offset, whole.subarray(offset, offset + 100_000));
    }
    original = { store, whole };
  });

  /** A store with the same log, to be changed by one test. */
  function filled(): { store: Opened; whole: Buffer } {
    const { store, whole } = original;
    return { store: { ...open(), storage: store.storage.copy(), index: store.index.copy() }, whole };
  }

  test('compaction merges chunks into few objects and keeps every byte, every range and the size', async () => {
    const { store, whole } = filled();
    const chunks = store.storage.objects.size;
    expect(await compactLog(store, ref)).toEqual({ pieces: Math.ceil(chunks / 10), chunksMerged: chunks });
    expect(store.storage.objects.size).toBe(Math.ceil(chunks / 10));
    expect(await measureLog(store, finished)).toBe(whole.length);
    expect(await text(readLog(store, finished))).toBe(whole.toString());
    const start = whole.length - 1_234_567;
    expect(await text(readLog(store, finished, { start }))).toBe(whole.subarray(start).toString());
    expect(await text(readLog(store, finished, { start: 999_990, end: 1_000_020 }))).toBe(
      whole.subarray(999_990, 1_000_020).toString(),
    );
    store.storage.reads = 0;
    expect(await text(readLog(store, finished, { start: whole.length - 100 }))).toBe(whole.subarray(-100).toString());
    expect(store.storage.reads).toBe(1);
    expect(await compactLog(store, ref)).toEqual({ pieces: 0, chunksMerged: 0 });
  });

  test('compaction puts large chunks together as they are stored, and compresses small ones together', async () => {
    const store = open();
    const large = Buffer.from(Array.from({ length: 4000 }, (_, i) => `line ${i}\n`).join(''));
    const gzip = gzipSync(large, { level: 9 });
    const parts: { bytes: Buffer; gzip?: Buffer }[] = [
      { bytes: Buffer.from('one ') },
      { bytes: Buffer.from('two ') },
      { bytes: large, gzip },
      { bytes: large, gzip },
      ...Array.from({ length: 50 }, () => ({ bytes: Buffer.from('small again ') })),
    ];
    let offset = 0;
    for (const [sequence, part] of parts.entries()) {
      await appendChunk(store, ref, { sequence, offset, size: part.bytes.length, ...part });
      offset += part.bytes.length;
    }
    expect(await compactLog(store, ref)).toEqual({ pieces: 1, chunksMerged: parts.length });
    const [piece] = [...store.storage.objects.values()].map((object) => Buffer.from(object.bytes));
    expect(piece!.includes(Buffer.concat([gzip, gzip]))).toBe(true);
    expect(piece!.length).toBeLessThan(2 * gzip.length + 120);
    expect(await text(readLog(store, finished))).toBe(Buffer.concat(parts.map(({ bytes }) => bytes)).toString());
    expect(store.damage).toEqual([]);
  });

  test('two simultaneous compactions and chunks that arrive late or twice neither lose nor duplicate bytes', async () => {
    const { store, whole } = filled();
    await Promise.all([compactLog(store, ref), compactLog(store, ref)]);
    expect(await text(readLog(store, finished))).toBe(whole.toString());
    await send(store, 2, 100_000, whole.subarray(100_000, 200_000));
    await send(store, 900, whole.length, 'late');
    expect(await text(readLog(store, finished))).toBe(`${whole.toString()}late`);
    await compactLog(store, ref);
    expect(await text(readLog(store, finished))).toBe(`${whole.toString()}late`);
    await sweep(store);
    expect(await text(readLog(store, finished))).toBe(`${whole.toString()}late`);
    expect(store.damage).toEqual([]);
  });

  test('a reader that began before a compaction continues through it', async () => {
    const { store, whole } = filled();
    const parts: Uint8Array[] = [];
    for await (const part of readLog(store, finished)) {
      parts.push(part);
      if (parts.length === 3) await compactLog(store, ref);
    }
    expect(Buffer.concat(parts).equals(whole)).toBe(true);
    expect(store.damage).toEqual([]);
  });

  test('a crash at any write leaves the log complete, and compacting again finishes', async () => {
    for (let steps = 0; ; steps++) {
      const { store, whole } = filled();
      let left = steps;
      const fail = (): void => {
        if (left-- === 0) throw new Error('killed');
      };
      const crashing: LogStore = {
        ...store,
        storage: Object.assign(Object.create(store.storage) as MemoryStorage, {
          put: async (key: string, body: Uint8Array) => (fail(), store.storage.put(key, body)),
          delete: async (key: string) => (fail(), store.storage.delete(key)),
        }),
      };
      const completed = await compactLog(crashing, ref).then(
        () => true,
        () => false,
      );
      expect(Buffer.from(await text(readLog(store, finished))).equals(whole)).toBe(true);
      await compactLog(store, ref);
      expect(Buffer.from(await text(readLog(store, finished))).equals(whole)).toBe(true);
      await sweep(store);
      expect(store.storage.objects.size).toBe((await store.index.place('job', 0)).entries);
      if (completed) break;
      // The first piece's every step, then a sample of the rest.
      if (steps > 12) steps += 6;
    }
  });
});

/** Deletes objects that no entry points to, as the background sweep does once a job is over. */
async function sweep(store: LogStore): Promise<void> {
  const kept = new Set((await store.index.list('job', null, 10_000)).map(({ key }) => key));
  for await (const { key } of store.storage.list(logFolder(ref))) if (!kept.has(key)) await store.storage.delete(key);
}

describe('damaged and deleted logs', () => {
  test('a row without bytes is reported and replaced by a notice of the same number of bytes', async () => {
    const store = open();
    await send(store, 1, 0, 'a'.repeat(50));
    await send(store, 2, 50, 'b'.repeat(50));
    await send(store, 3, 100, 'c'.repeat(50));
    const [, second, third] = [...store.storage.objects.keys()];
    store.storage.objects.delete(second ?? '');
    await store.storage.put(third ?? '', Buffer.from('no gzip'));
    const log = await text(readLog(store, finished));
    expect(log).toHaveLength(150);
    expect(log.match(/\[part of this log is missing\]\n/g)).toHaveLength(2);
    expect(store.damage).toEqual(['2 missing', '3 damaged']);
  });
});

describe('the forms of a log', () => {
  const lines =
    '\u001b_bk;t=1700000000123\u0007--- \u001b[32mBuild\u001b[0m\r\nfé\r\n\u001b_bk;dt=877\u0007+++ Test\r\n';

  async function filled(): Promise<{ store: Opened; size: number }> {
    const store = open();
    const bytes = Buffer.from(lines);
    for (let i = 0; i < bytes.length; i++) await send(store, i, i, bytes.subarray(i, i + 1));
    return { store, size: bytes.length };
  }

  /** Renders without times, each piece with a new renderer. */
  const inPieces = async (state: RendererState | null, bytes: Uint8Array | null) => {
    const renderer = new LogRenderer({ timestamps: false }, state);
    const html = bytes === null ? renderer.end() : renderer.push(bytes);
    return { html, state: bytes === null ? null : renderer.state() };
  };

  test('text, HTML, header times and JSON of one log agree', async () => {
    const { store, size } = await filled();
    const { scan, headerTimes } = await scanHeaders(store, finished);
    expect([scan.offset, scan.count, headerTimes]).toEqual([size, 2, [1700000000123000000n, 1700000001000000000n]]);
    expect(await text(renderLog(readLog(store, finished), inPieces))).toBe(
      '--- <span class="term-fg32">Build</span>\nfé\n+++ Test',
    );
    const json = await text(
      jobLogJson(store, finished, { url: 'http://x/log', size, headerTimes: [1700000000123456789n] }),
    );
    expect(JSON.parse(json)).toMatchObject({ url: 'http://x/log', content: lines, size });
    expect(json).toMatch(/"header_times":\[1700000000123456789\]}$/);
  });

  test('a header scan continues where the previous one ended', async () => {
    const { store } = await filled();
    const first = await scanHeaders(store, finished, undefined, 60);
    const second = await scanHeaders(store, finished, JSON.parse(JSON.stringify(first.scan)) as typeof first.scan);
    expect([...first.headerTimes, ...second.headerTimes]).toEqual([1700000000123000000n, 1700000001000000000n]);
  });

  test('the JSON of a long log contains its end, starting at a whole character', async () => {
    const { store, size } = await filled();
    const at = Buffer.from(lines).indexOf('é') + 1;
    const json = JSON.parse(await text(jobLogJson(store, finished, { url: '', size, headerTimes: [] }, size - at))) as {
      content: string;
      size: number;
    };
    expect(json.content).toBe(lines.slice(lines.indexOf('é') + 1));
    expect(json.size).toBe(size);
  });
});

test('a log is the same however its chunks are cut, shuffled and repeated', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
      fc.infiniteStream(fc.nat()),
      fc.boolean(),
      async (bytes, sizes, order, compact) => {
        const store = open();
        const chunks: { sequence: number; offset: number; bytes: Uint8Array }[] = [];
        for (let offset = 0; offset < bytes.length;) {
          const size = sizes.next().value;
          chunks.push({ sequence: chunks.length + 1, offset, bytes: bytes.subarray(offset, offset + size) });
          offset += size;
        }
        const keyed = [...chunks, ...chunks].map((chunk) => ({ chunk, key: order.next().value }));
        for (const { chunk } of keyed.sort((a, b) => a.key - b.key)) {
          await appendChunk(store, ref, { ...chunk, size: chunk.bytes.length });
        }
        if (compact) await compactLog(store, ref);
        const parts: Uint8Array[] = [];
        for await (const part of readLog(store, compact ? finished : running)) parts.push(part);
        expect(Buffer.concat(parts).equals(Buffer.from(bytes))).toBe(true);
        expect(store.storage.objects.size).toBe((await store.index.place('job', 0)).entries);
      },
    ),
    { numRuns: 60 },
  );
});

/** The same store; `before` runs before each call of its index and its storage. */
function watched(store: Opened, before: () => Promise<void>): LogStore {
  const watch = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          await before();
          return (await Reflect.apply(member, target, args)) as unknown;
        };
      },
    });
  return { ...store, storage: watch(store.storage), index: watch(store.index) };
}

test('chunks that arrive at any moment of two compactions and of a reading are neither lost nor doubled', async () => {
  const at = fc.oneof(fc.constant(0), fc.nat({ max: 4 }), fc.nat({ max: 24 }));
  const chunk = fc.record({ text: fc.string({ minLength: 1, maxLength: 5 }), at });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 7 }), fc.boolean(), async (chunks, atOnce) => {
      const store = open();
      let offset = 0;
      let waiting = chunks.map(({ text: written, at: call }, index) => {
        const bytes = Buffer.from(written);
        offset += bytes.length;
        return { call, chunk: { sequence: index + 1, offset: offset - bytes.length, size: bytes.length, bytes } };
      });
      const whole = Buffer.concat(waiting.map((each) => each.chunk.bytes)).toString();
      const all = waiting;
      let calls = 0;
      const arrive = async (): Promise<void> => {
        const due = waiting.filter(({ call }) => call <= calls);
        waiting = waiting.filter((each) => !due.includes(each));
        calls += 1;
        for (const each of due) expect((await appendChunk(store, ref, each.chunk)).outcome).toBe('stored');
      };
      const busy = watched(store, arrive);
      if (atOnce) await Promise.all([compactLog(busy, ref), compactLog(busy, ref), text(readLog(busy, finished))]);
      else for (let round = 0; round < 3; round += 1) await compactLog(busy, ref);
      while (waiting.length > 0) await arrive();
      for (const each of all)
        expect((await appendChunk(store, ref, each.chunk)).outcome).toMatch(/^(repeated|stored)$/);
      expect(await text(readLog(store, finished))).toBe(whole);
      await compactLog(store, ref);
      expect(await text(readLog(store, finished))).toBe(whole);
      await sweep(store);
      expect(await text(readLog(store, finished))).toBe(whole);
      expect(store.damage).toEqual([]);
    }),
    { numRuns: 400 },
  );
});
