import type { Outbound, OutboundReply, OutboundRequest } from '../../src/services/services.js';
import type { Random } from './random.js';

/** A receiver of webhooks that remembers what came; now and then it refuses, is gone, or takes what it seems not to. */
export class SimulatedReceiver implements Outbound {
  /** Ids of deliveries in the order they came, repetitions included. */
  readonly received: string[] = [];
  /** No more failures from now on. */
  reliable = false;

  constructor(private readonly random: Random) {}

  async send({ headers }: OutboundRequest): Promise<OutboundReply> {
    const fate = this.reliable ? 'takes' : this.random.weighted({ takes: 8, refuses: 1, isGone: 1, replyLost: 1 });
    if (fate === 'refuses') return { status: 500, body: '' };
    if (fate === 'isGone') throw new Error('connect ECONNREFUSED');
    this.received.push(headers['x-slipway-delivery'] ?? '');
    if (fate === 'replyLost') throw new Error('the answer did not come in time');
    return { status: 200, body: 'ok' };
  }
}
