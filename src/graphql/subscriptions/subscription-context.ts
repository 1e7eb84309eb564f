import { credentialOf, type UserActor } from '../../auth/actor.js';
import type { Context, RequestFacts } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import { Problem } from '../../domain/problem.js';
import type { EventFeed } from '../../event-stream/feed.js';
import type { LogWatch } from '../../event-stream/log-watch.js';
import { RequestBounds } from '../../http/request-bounds.js';
import { authenticateAgain, type Credential } from '../server/authentication.js';
import { GraphqlContext } from '../context.js';
import type { SharedWork } from './shared-work.js';
import type { SubscriptionCount } from './subscription-count.js';

/** Services that all subscriptions of a process share. */
export interface SubscriptionServices {
  services: Services;
  feed: EventFeed;
  logs: LogWatch;
  count: SubscriptionCount;
  shared: SharedWork;
  /** Aborted when the process drains: every stream ends. */
  draining: AbortSignal;
}

/** GraphQL context of a subscription. Subscriptions live long, so each message renews it. */
export class SubscriptionContext extends GraphqlContext {
  private readonly message: Message;

  constructor(
    readonly live: SubscriptionServices,
    facts: RequestFacts,
    private readonly credential: Credential,
    /** Same for subscriptions with the same document, operation and variables. */
    private readonly question: string,
  ) {
    const message: Message = { bounds: null };
    super(facts, () => messageContext(live, facts, message));
    this.message = message;
  }

  /** Same for callers who see the same: those of one token with the same rights. */
  get rights(): string {
    const { actor } = this;
    if (actor.kind !== 'user') return actor.kind;
    const { scopes, organizations, roles } = actor;
    const reach = organizations === 'all' ? organizations : [...organizations].sort();
    return JSON.stringify([credentialOf(actor), [...scopes].sort(), reach, [...roles].sort()]);
  }

  /** Same for subscriptions whose messages are equal wherever their events are. */
  get sameMessages(): string {
    return `${this.question} ${this.rights}`;
  }

  /**
   * Each message gets a context with the bounds of one request. Between messages there is none: there are many
   * followers.
   */
  protected override renewed(facts: RequestFacts): () => Context {
    const { live, message } = this;
    // What the last message has read is dropped with its context.
    message.bounds?.share.release();
    message.bounds = null;
    return () => messageContext(live, facts, message);
  }

  /** Key under which the caller's subscriptions are counted. */
  get userId(): string {
    return this.actor.kind === 'user' ? this.actor.userId : this.actor.kind;
  }

  /** Drops what was read, so that the next message reads current rows and nothing of this one stays in memory. */
  refresh(): void {
    this.forget();
  }

  /**
   * Authenticates the caller again and takes over their current rights; throws `unauthenticated` if the credential is
   * revoked or over.
   */
  async authenticateAgain(): Promise<void> {
    const { services, shared } = this.live;
    const authenticate = () => authenticateAgain(services, this.credential, this.facts);
    const actor: UserActor = await shared.once(`caller ${JSON.stringify(this.credential)}`, authenticate);
    this.forget({ ...this.facts, actor });
  }
}

/** The message that is being made. */
interface Message {
  bounds: RequestBounds | null;
}

function messageContext({ services }: SubscriptionServices, facts: RequestFacts, message: Message): Context {
  message.bounds = new RequestBounds(services, new AbortController().signal);
  return message.bounds.context(facts);
}

/** Returns the context of a subscription; throws `not_applicable` for a subscription sent as an ordinary request. */
export function subscriptionContext(context: unknown): SubscriptionContext {
  if (context instanceof SubscriptionContext) return context;
  throw new Problem('not_applicable', 'Subscriptions are sent over graphql-ws or as server-sent events');
}
