import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ArchiveTurns } from '../../src/artifact-transfer/archive-turns.js';
import { limits } from '../../src/domain/limits/limits.js';

/** A response whose client has read so many bytes, and more or nothing waits for it. */
class Reader extends EventEmitter {
  destroyed = false;
  writableLength = 0;
  writableNeedDrain = true;
  socket = { bytesWritten: 0 };
  readonly response = this as unknown as ServerResponse;
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

const { artifactArchivesAtOnce: most, artifactArchivesOfOrganization: own } = limits;

describe('turns of archives', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function taken(turns: ArchiveTurns, organization: (index: number) => string, count: number) {
    const readers = Array.from({ length: count }, () => new Reader());
    for (const [index, reader] of readers.entries()) await turns.take(reader.response, organization(index));
    return readers;
  }
  const stateOf = async (turn: Promise<void>) => {
    let state = 'waits';
    turn.then(
      () => (state = 'sent'),
      (error: { code: string }) => (state = error.code),
    );
    await vi.advanceTimersByTimeAsync(0);
    return () => state;
  };

  test('those of one organization leave turns to others', async () => {
    const turns = new ArchiveTurns();
    const [first] = await taken(turns, () => 'a', own);
    const third = await stateOf(turns.take(new Reader().response, 'a'));
    expect(third()).toBe('waits');
    await turns.take(new Reader().response, 'b');
    first?.destroy();
    await vi.advanceTimersByTimeAsync(0);
    expect(third()).toBe('sent');
  });

  test('one that waits too long, or behind too many, is refused; one that leaves is forgotten', async () => {
    const turns = new ArchiveTurns(1_000, 60_000);
    await taken(turns, String, most);
    const late = await stateOf(turns.take(new Reader().response, 'x'));
    const left = new Reader();
    const leaving = await stateOf(turns.take(left.response, 'x'));
    left.destroy();
    await vi.advanceTimersByTimeAsync(0);
    expect([late(), leaving()]).toEqual(['waits', 'timed_out']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(late()).toBe('unavailable');
    for (let index = 0; index < 100; index += 1) turns.take(new Reader().response, 'x').catch(() => undefined);
    const refused = await stateOf(turns.take(new Reader().response, 'x'));
    expect(refused()).toBe('unavailable');
  });

  test('while one waits, readers that do not read are cut, and those that wait for the storage are not', async () => {
    const turns = new ArchiveTurns(60_000, 1_000);
    const [slow, fast, stalled, ...others] = (await taken(turns, String, most)) as [
      Reader,
      Reader,
      Reader,
      ...Reader[],
    ];
    stalled.writableNeedDrain = false;
    const waiting = await stateOf(turns.take(new Reader().response, 'x'));
    for (let second = 0; second < 3; second += 1) {
      for (const reader of [fast, ...others]) reader.socket.bytesWritten += 4 * 1024 * 1024;
      slow.socket.bytesWritten += 10;
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect([slow, fast, stalled, ...others].map(({ destroyed }) => destroyed)).toEqual([
      true,
      ...Array.from({ length: most - 1 }, () => false),
    ]);
    expect(waiting()).toBe('sent');
  });
});
