import { DatabaseUnavailableError } from '../../src/database/faults.js';
import { inLane, type Lane, LaneGate, lanes, reservedConnections } from '../../src/database/lanes.js';

/** Whether the promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise(setImmediate);
  return settled;
}

describe('the lanes of database connections', () => {
  const take = async (gate: LaneGate, lane: Lane, count: number) => {
    const leave: (() => void)[] = [];
    for (let taken = 0; taken < count; taken += 1) leave.push(await gate.enter(lane));
    return leave;
  };

  test.each([4, 5, 8, 10, 33, 200])(
    'in a pool of %d connections each lane has some that no other lane can take',
    async (size) => {
      const reserved = reservedConnections(size);
      expect(lanes.reduce((sum, lane) => sum + reserved[lane], 0)).toBeLessThanOrEqual(size);
      for (const greedy of lanes) {
        const gate = new LaneGate(size);
        const others = lanes.filter((lane) => lane !== greedy);
        await take(gate, greedy, size - others.reduce((sum, lane) => sum + reserved[lane], 0));
        expect(await isSettled(gate.enter(greedy))).toBe(false);
        for (const lane of others)
          expect([lane, await isSettled(take(gate, lane, reserved[lane]))]).toEqual([lane, true]);
      }
    },
  );

  test.each([1, 2, 3])('in a pool of %d connections none is reserved for a lane', async (size) => {
    const gate = new LaneGate(size);
    await take(gate, 'requests', size);
    expect(await isSettled(gate.enter('health'))).toBe(false);
  });

  test('waiting callers get connections for health checks first, then lane by lane in order of arrival', async () => {
    const gate = new LaneGate(1);
    let leave = await gate.enter('requests');
    const admitted: string[] = [];
    const waiting = (['requests', 'requests', 'requests', 'background', 'agents', 'agents', 'health'] as const).map(
      async (lane, index) => {
        const next = await gate.enter(lane);
        admitted.push(`${lane} ${index}`);
        leave = next;
      },
    );
    for (let count = 0; count < waiting.length; count += 1) {
      leave();
      await new Promise(setImmediate);
    }
    await Promise.all(waiting);
    expect(admitted).toEqual([
      'health 6',
      'agents 4',
      'requests 0',
      'background 3',
      'agents 5',
      'requests 1',
      'requests 2',
    ]);
  });

  test('releasing a connection twice counts once', async () => {
    const gate = new LaneGate(2);
    const leave = await gate.enter('agents');
    leave();
    leave();
    await take(gate, 'agents', 2);
    expect(gate.use().find(({ lane }) => lane === 'agents')).toMatchObject({ used: 2 });
    expect(await isSettled(gate.enter('agents'))).toBe(false);
  });

  test('waiting ends with an error after the timeout of the lane and removes the caller from the queue', async () => {
    const gate = new LaneGate(1, { health: 1, agents: 2, requests: 3, background: 4 });
    const leave = await gate.enter('requests');
    const waits = lanes.map((lane) => gate.enter(lane).catch((error: unknown) => error));
    expect(gate.use().map(({ waiting }) => waiting)).toEqual([1, 1, 1, 1]);
    for (const error of await Promise.all(waits))
      expect(error).toMatchObject({ name: 'DatabaseUnavailableError', reason: 'waited' });
    expect(gate.use().map(({ waiting, timedOut }) => [waiting, timedOut])).toEqual(lanes.map(() => [0, 1]));
    leave();
    await inLane('agents', () => gate.enter());
    expect(gate.use().filter(({ used }) => used > 0)).toMatchObject([{ lane: 'agents' }]);
  });

  test('waiting too long for a connection and a refusal by the database have different error messages', () => {
    expect(new DatabaseUnavailableError('waited').message).not.toBe(new DatabaseUnavailableError('lost').message);
  });
});
