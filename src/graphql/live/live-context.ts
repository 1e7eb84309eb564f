import type { UserActor } from '../../auth/actor.js';
import { Context, type RequestFacts, type Services } from '../../context.js';
import { Problem } from '../../domain/problem.js';
import type { EventFeed } from '../../operations/live/feed.js';
import type { LogWatch } from '../../operations/live/log-watch.js';
import { authenticateHeader } from '../authentication.js';
import { GraphqlContext } from '../context.js';
import type { SubscriptionCount } from './subscription-count.js';

/** What all subscriptions of one process share. */
export interface LiveServices {
  services: Services;
  feed: EventFeed;
  logs: LogWatch;
  count: SubscriptionCount;
  /** Aborted when the process drains: every stream ends. */
  draining: AbortSignal;
}

/** The GraphQL context of a subscription: it lives long, so it is renewed again and again. */
export class LiveContext extends GraphqlContext {
  constructor(
    readonly live: LiveServices,
    facts: RequestFacts,
    private readonly authorization: string,
  ) {
    super(new Context(live.services, facts));
  }

  /** Who is counted for it. */
  get userId(): string {
    return this.actor.kind === 'user' ? this.actor.userId : this.actor.kind;
  }

  /** Everything shown from here on is read anew. */
  refresh(): void {
    this.forget();
  }

  /** Asks again who the token belongs to and what it may do; throws `unauthenticated` once it is revoked or expired. */
  async authenticateAgain(): Promise<void> {
    const actor: UserActor = await authenticateHeader(this.live.services, this.authorization);
    this.forget({ ...this.facts, actor });
  }
}

/** The context of a subscription; an operation of that kind that came another way is refused. */
export function liveContext(context: unknown): LiveContext {
  if (context instanceof LiveContext) return context;
  throw new Problem('not_applicable', 'Subscriptions are sent over graphql-ws or as server-sent events');
}
