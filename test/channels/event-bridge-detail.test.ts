import { detailOf } from '../../src/channels/event-bridge/detail.js';
import type { JsonObject } from '../../src/domain/pipelines/steps/step.js';

describe('details of events on the bus', () => {
  const job = (fields: JsonObject): JsonObject => ({ id: 'a-job', finished_at: null, agent: null, ...fields });
  const detail = (fields: JsonObject) => detailOf({ job: job(fields) }, { slug: 'acme' }, { metaData: false });

  test.each([
    [{ state: 'scheduled' }, 'scheduled', false],
    [{ state: 'running' }, 'started', false],
    [{ state: 'running', promised_exit_status: 1 }, 'running', false],
    [{ state: 'passed' }, 'finished', true],
    [{ state: 'failed' }, 'finished', false],
    [{ state: 'unblocked' }, 'finished', true],
    [{ state: 'timed_out' }, 'timed_out', false],
  ])('a job of %j is %s there, and passed %s', (fields, state, passed) => {
    expect(detail(fields)).toMatchObject({ job: { state, passed } });
  });

  test('a job that has ended names the agent that ran it, by its id alone', () => {
    const agent = { id: 'an-agent', name: 'runner' };
    expect(detail({ state: 'passed', finished_at: '2026-01-31T06:01:16.000Z', agent })['agent']).toEqual({
      uuid: 'an-agent',
    });
    expect(detail({ state: 'running', agent })).not.toHaveProperty('agent');
    expect(detail({ state: 'canceled', finished_at: '2026-01-31T06:01:16.000Z' })).not.toHaveProperty('agent');
  });
});
