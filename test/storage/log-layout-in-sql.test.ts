import fc from 'fast-check';
import { newId } from '../../src/database/ids.js';
import { logStore } from '../../src/resources/builds/logs/log-store.js';
import { measureLog, placedEntries } from '../../src/storage/logs/read-log.js';
import { World } from '../support/world.js';
import { MemoryChunkIndex } from './memory-chunk-index.js';

describe('the index of a log in the database', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  test('it measures a log and finds its bytes as the layout of the log does, with gaps, overlaps and repeated offsets', async () => {
    const run = fc.record({ offset: fc.nat({ max: 40 }), size: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { maxLength: 12 }), fc.boolean(), async (runs, finished) => {
        const jobId = newId(new Date());
        const organizationId = world.organization.id;
        const memory = new MemoryChunkIndex();
        for (const [sequence, { offset, size }] of runs.entries()) {
          const stored = { sequence, offset, size, key: `${sequence}`, storedSize: size };
          await memory.insertIfAbsent(jobId, Promise.resolve(stored));
        }
        if (runs.length > 0)
          await world.services.db
            .insertInto('log_chunks')
            .values(
              runs.map(({ offset, size }, sequence) => ({
                jobId,
                organizationId,
                sequence,
                startOffset: offset,
                size,
                storedKey: `${sequence}`,
                storedSize: size,
              })),
            )
            .execute();
        const store = logStore(world.services, organizationId);
        const size = await memory.measure(jobId, finished);
        expect(await measureLog(store, { jobId, finished })).toBe(size);
        for (let position = 0; position <= size; position += 1) {
          expect(await store.index.seek(jobId, finished, position)).toEqual(
            await memory.seek(jobId, finished, position),
          );
        }
        const whole = [];
        for await (const { segment } of placedEntries({ ...store, index: memory }, { jobId, finished })) {
          if (segment) whole.push(segment);
        }
        const start = Math.floor(size / 2);
        const rest = [];
        for await (const { segment } of placedEntries(store, { jobId, finished }, start)) {
          if (segment) rest.push(segment);
        }
        expect(rest).toEqual(whole.filter(({ position, length }) => position + length > start));
      }),
      { numRuns: 40 },
    );
  });
});
