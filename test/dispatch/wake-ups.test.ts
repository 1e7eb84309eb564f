import { WakeUps, payloadsOf, readPayload } from '../../src/dispatch/wake-ups.js';
import { silent } from '../support/world.js';

const changes = ({ queues = [], agents = [] }: { queues?: string[]; agents?: string[] }) => ({
  builds: new Set<string>(),
  queues: new Set(queues),
  agents: new Set(agents),
});

describe('wake-ups of other replicas after commits', () => {
  test('are told after a commit that had nothing to tell', async () => {
    const told: string[] = [];
    const wakeUps = new WakeUps({ db: null as never, log: silent }, 'here', {
      peers: { notify: async (payloads) => void told.push(...payloads) },
      awaited: () => true,
      wake: () => undefined,
    });
    wakeUps.add(changes({}));
    wakeUps.add(changes({ agents: ['one'] }));
    await vi.waitFor(() => expect(told).toEqual(['here aone']));
    wakeUps.add(changes({ queues: ['two'], agents: ['three'] }));
    await vi.waitFor(() => expect(told).toEqual(['here aone', 'here qtwo athree']));
    await wakeUps.stop();
    wakeUps.add(changes({ agents: ['late'] }));
    expect(told).toHaveLength(2);
  });

  test('go on after a failure', async () => {
    const told: string[] = [];
    let failures = 1;
    const wakeUps = new WakeUps({ db: null as never, log: silent }, 'here', {
      peers: {
        notify: async (payloads) => {
          failures -= 1;
          if (failures >= 0) throw new Error('the database does not answer');
          told.push(...payloads);
        },
      },
      awaited: () => true,
      wake: () => undefined,
    });
    wakeUps.add(changes({ agents: ['lost'] }));
    await vi.waitFor(() => expect(failures).toBe(0));
    wakeUps.add(changes({ agents: ['next'] }));
    await vi.waitFor(() => expect(told).toEqual(['here anext']), { timeout: 10_000 });
    await wakeUps.stop();
  });

  test('are read by the others, not by the process itself, and fit into notifications', () => {
    const ids = Array.from({ length: 400 }, (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`);
    const payloads = payloadsOf('here', { queues: ids.slice(0, 100), agents: ids.slice(100) });
    for (const payload of payloads) expect(payload.length).toBeLessThan(8_000);
    expect(payloads.map((payload) => readPayload('here', payload))).toEqual(payloads.map(() => null));
    const read = payloads.map((payload) => readPayload('there', payload));
    expect(read.flatMap((woken) => woken?.queues ?? [])).toEqual(ids.slice(0, 100));
    expect(read.flatMap((woken) => woken?.agents ?? [])).toEqual(ids.slice(100));
  });
});
