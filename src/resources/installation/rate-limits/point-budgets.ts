import { LRUCache } from 'lru-cache';
import { inLane } from '../../../database/lanes.js';
import type { Services } from '../../../services/services.js';
import { countPoints, pointsInWindow } from './count-points.js';

/** Seconds of a window. Windows begin at the same times in every process. */
export const pointsWindowSeconds = 300;
const windowMs = pointsWindowSeconds * 1000;

/** A process tells the others of what it has spent in steps of this fraction of a budget. */
const stepsOfABudget = 100;
const spendersAtMost = 10_000;

/** State of a budget. `remaining` may be negative, because the cost is known only after the work. */
export interface PointsLeft {
  limit: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

/** What is known of one budget in a window. */
interface Spender {
  windowStart: number;
  /** Spent by all processes, as of when this one last told of its own; null before that. */
  known: number | null;
  /** Spent by this process since then. */
  own: number;
}

type Used = Pick<Services, 'limits' | 'db' | 'clock' | 'log'>;

/**
 * Points of users or of organizations, which all processes spend from one budget. A process tells the database of what
 * it has spent with the first operation of a window, and then whenever it is a hundredth of the limit, and learns by
 * the same statement what the others have. So a budget is exceeded by a hundredth, and an operation, for each process.
 */
class Budget {
  private readonly spenders = new LRUCache<string, Spender>({ max: spendersAtMost });

  constructor(
    private readonly services: Used,
    readonly limit: number,
  ) {}

  left(key: string): PointsLeft | null {
    return this.limit > 0 ? this.state(this.spenderOf(key)) : null;
  }

  async spend(key: string, points: number): Promise<PointsLeft | null> {
    if (this.limit === 0) return null;
    const spender = this.spenderOf(key);
    spender.own += points;
    if (spender.known === null || spender.own >= this.limit / stepsOfABudget) await this.exchange(key, spender);
    return this.state(spender);
  }

  /** Learns what the other processes have told of. */
  async ask(key: string): Promise<PointsLeft | null> {
    if (this.limit === 0) return null;
    const spender = this.spenderOf(key);
    const sum = await pointsInWindow(this.services.db, key, new Date(spender.windowStart));
    if (sum !== null) spender.known = Math.max(spender.known ?? 0, sum);
    return this.state(spender);
  }

  private async exchange(key: string, spender: Spender): Promise<void> {
    const { own } = spender;
    // Operations of the same moment tell of theirs by themselves.
    spender.own = 0;
    spender.known = (spender.known ?? 0) + own;
    try {
      const windowStart = new Date(spender.windowStart);
      const sum = await inLane('requests', () => countPoints(this.services.db, key, windowStart, own));
      spender.known = Math.max(spender.known, sum);
    } catch (error) {
      // The work is done and paid for here.
      spender.known -= own;
      spender.own += own;
      this.services.log.warn({ err: error }, 'GraphQL points could not be shared with other processes');
    }
  }

  private spenderOf(key: string): Spender {
    const now = this.services.clock.now().getTime();
    const windowStart = now - (now % windowMs);
    let spender = this.spenders.get(key);
    if (spender?.windowStart !== windowStart) {
      spender = { windowStart, known: null, own: 0 };
      this.spenders.set(key, spender);
    }
    return spender;
  }

  private state({ windowStart, known, own }: Spender): PointsLeft {
    const until = windowStart + windowMs - this.services.clock.now().getTime();
    return {
      limit: this.limit,
      remaining: this.limit - (known ?? 0) - own,
      reset: Math.max(1, Math.ceil(until / 1000)),
    };
  }
}

/** User and organization whose points an operation spends. */
export interface Payer {
  /** Null where no person asks. */
  userId: string | null;
  /** Id of the organization that the operation names; null if this is unknown before it runs. */
  organizationId: string | null;
}

export interface PointsOfPayer {
  organization: PointsLeft | null;
  user: PointsLeft | null;
}

/** Points of organizations and users per five minutes. */
export class PointBudgets {
  private static readonly known = new WeakMap<Services['limits'], PointBudgets>();

  /** The budgets of a process, which the callers that spend them and the pages that show them share. */
  static of(services: Used): PointBudgets {
    const { graphqlOrganizationPoints = 0, graphqlUserPoints = 0 } = services.limits;
    const known = this.known.get(services.limits);
    if (known?.organizations.limit === graphqlOrganizationPoints && known.users.limit === graphqlUserPoints)
      return known;
    const budgets = new PointBudgets(services);
    this.known.set(services.limits, budgets);
    return budgets;
  }

  private readonly organizations: Budget;
  private readonly users: Budget;

  private constructor(services: Used) {
    const { graphqlOrganizationPoints = 0, graphqlUserPoints = 0 } = services.limits;
    this.organizations = new Budget(services, graphqlOrganizationPoints);
    this.users = new Budget(services, graphqlUserPoints);
  }

  /** What is left as far as this process knows, without a statement. */
  left({ userId, organizationId }: Payer): PointsOfPayer {
    return {
      organization: organizationId === null ? null : this.organizations.left(organizationId),
      user: userId === null ? null : this.users.left(userId),
    };
  }

  /** What is left as all processes have told. */
  async ask({ userId, organizationId }: Payer): Promise<PointsOfPayer> {
    const [organization, user] = await Promise.all([
      organizationId === null ? null : this.organizations.ask(organizationId),
      userId === null ? null : this.users.ask(userId),
    ]);
    return { organization, user };
  }

  async spend({ userId, organizationId }: Payer, points: number): Promise<PointsOfPayer> {
    const [organization, user] = await Promise.all([
      organizationId === null ? null : this.organizations.spend(organizationId, points),
      userId === null ? null : this.users.spend(userId, points),
    ]);
    return { organization, user };
  }
}
