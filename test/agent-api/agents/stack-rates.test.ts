import type { Response } from 'express';
import type { Actor } from '../../../src/auth/actor.js';
import { errorReply, publicDetails } from '../../../src/agent-api/problems.js';
import { StackRates } from '../../../src/agent-api/stack-rates.js';
import type { Services } from '../../../src/services/services.js';

const token: Actor = { kind: 'registration', agentTokenId: 't', organizationId: 'o', clusterId: 'c' };
const withLimit = (requestsPerMinuteOrganization: number) =>
  new StackRates({ limits: { requestsPerMinuteOrganization } } as Services);

describe('rate limits of stacks', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  let headers: Record<string, string> = {};
  const response = { set: (sent: Record<string, string>) => (headers = sent) } as unknown as Response;

  test('a stack above its budget is told when to come back, and others are not held up', async () => {
    const rates = withLimit(6_000);
    for (let call = 1; call <= 10; call += 1) await rates.count(token, 'k8s', 'batch-reserve', response);
    expect(headers).toEqual({
      'RateLimit-Scope': 'batch-reserve',
      'RateLimit-Limit': '10',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '1',
    });
    const refusal: unknown = await rates
      .count(token, 'k8s', 'batch-reserve', response)
      .catch((error: unknown) => error);
    expect(errorReply(refusal, 'request')).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
    expect(publicDetails(refusal)).toEqual({ scope: 'batch-reserve', limit: 10, current: 11, reset: 1 });
    await rates.count(token, 'k8s', 'list-scheduled-jobs', response);
    await rates.count(token, 'other', 'batch-reserve', response);
    await rates.count({ ...token, clusterId: 'd' }, 'k8s', 'batch-reserve', response);
    vi.advanceTimersByTime(1_001);
    await rates.count(token, 'k8s', 'batch-reserve', response);
    expect(headers['RateLimit-Remaining']).toBe('9');
  });

  test('an installation without rate limits has none for stacks', async () => {
    headers = {};
    const rates = withLimit(0);
    for (let call = 1; call <= 20; call += 1) await rates.count(token, 'k8s', 'default', response);
    expect(headers).toEqual({});
  });
});
