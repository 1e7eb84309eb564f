import { AgentHttpError } from '../../src/agent/http.js';
import { silentLog } from '../../src/agent/options.js';
import { Retrier, type policies } from '../../src/agent/retry.js';

const offline = (): AgentHttpError => new AgentHttpError('refused', 'network');
const status = (code: number) => (): AgentHttpError => new AgentHttpError(`${code}`, 'status', code);
const nonsense = (): AgentHttpError => new AgentHttpError('not JSON', 'body');

describe('the retry policies of the agent', () => {
  test.each<[keyof typeof policies, string, () => AgentHttpError, number]>([
    ['register', 'no answer', offline, 30],
    ['register', '503', status(503), 30],
    ['register', '429', status(429), 30],
    ['register', '401', status(401), 1],
    ['connect', '404', status(404), 10],
    ['disconnect', '401', status(401), 4],
    ['heartbeat', '500', status(500), 10],
    ['heartbeat', 'a bad body', nonsense, 10],
    ['heartbeat', '404', status(404), 1],
    ['accept', 'no answer', offline, 30],
    ['accept', '500', status(500), 1],
    ['accept', 'a bad body', nonsense, 1],
    ['acquire', '423', status(423), 7],
    ['acquire', '422', status(422), 1],
    ['acquire', '500', status(500), 7],
    ['start', '500', status(500), 7],
    ['start', '422', status(422), 1],
    ['chunk', '500', status(500), 12],
    ['chunk', '429', status(429), 1],
    ['chunk', '413', status(413), 1],
    ['finish', '429', status(429), 12],
    ['finish', '422', status(422), 1],
    ['metaDataExists', '500', status(500), 10],
    ['metaDataSet', '404', status(404), 1],
    ['secret', '503', status(503), 3],
  ])(
    'a call of %s failing with %s is attempted as often as its policy says (row %#)',
    async (name, _, failure, attempts) => {
      let calls = 0;
      const run = new Retrier(silentLog, 0.000_001).run(name, () => {
        calls += 1;
        return Promise.reject(failure());
      });
      await expect(run).rejects.toThrow(failure().message);
      expect(calls).toBe(attempts);
    },
  );
});

test('a wait between attempts ends at once when the agent is aborted', async () => {
  const giveUp = new AbortController();
  const run = new Retrier(silentLog).run('register', () => Promise.reject(offline()), giveUp.signal);
  setImmediate(() => giveUp.abort());
  await expect(run).rejects.toMatchObject({ failure: 'aborted' });
});
