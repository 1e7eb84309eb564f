import { Problem } from '../../src/domain/problem.js';
import { type Task, tasks } from '../../src/background/tasks.js';
import type { World } from '../support/world.js';
import { type FaultKind, Faults } from './faults.js';
import { Ledger, type Outcome } from './checks/ledger.js';
import type { Random } from './random.js';
import { SimulatedReceiver } from './receiver.js';
import { SimulatedStorage } from './simulated/storage.js';

export type Answer<T> = { outcome: 'done'; value: T } | { outcome: Exclude<Outcome, 'done'> };

/** How often a call is disturbed, and by what. */
const faultChance = 0.08;
const weights: Record<FaultKind, number> = {
  conflict: 3,
  lost: 2,
  lostBeforeCommit: 1,
  lostAfterCommit: 2,
  recoveryAfterCommit: 1,
  crash: 2,
  crashAfterCommit: 2,
  storageFails: 1,
  storageReplyLost: 1,
  storageHangs: 2,
};
const statementsOfACall = 25;
const roundsAtMost = 1000;

/**
 * One process of the product with what it stands on, and the way from outside to it: answers get lost, processes die.
 */
export class Surroundings {
  readonly ledger = new Ledger();
  readonly storage: SimulatedStorage;
  readonly receiver: SimulatedReceiver;
  crashes = 0;
  /** How often each fault happened. */
  readonly faultCounts = new Map<FaultKind, number>();
  private background: Task[] = tasks();
  private pending: Promise<unknown>[] = [];
  private requests = 0;

  /** Without `faults` nothing is disturbed. */
  constructor(
    readonly world: World,
    readonly random: Random,
    readonly seed: number,
    private readonly faults: Faults | null,
    private readonly restartDatabase: () => void = () => undefined,
  ) {
    this.storage = new SimulatedStorage(world.clock, faults ?? new Faults());
    this.receiver = new SimulatedReceiver(random);
    world.services.storage = this.storage;
    world.services.outbound = this.receiver;
  }

  nextRequestId(): string {
    this.requests += 1;
    return `simulation-${this.seed}-${this.requests}`;
  }

  /**
   * A call from outside. `unknown` where no answer came: a fault broke it off, or the answer was lost on its way. An
   * error that no fault explains is the product's and thrown. A call that hangs goes on while others are made.
   */
  async call<T>(work: () => Promise<T>, onAnswer: (answer: Answer<T>) => void): Promise<void> {
    const answered = this.disturbed(work).then(onAnswer);
    await this.settledOrHanging(answered);
  }

  /** One round of a task of the background, as its loop does it: a failure is logged and forgotten. */
  async round(name?: string): Promise<void> {
    const task =
      name === undefined ? this.random.pick(this.background) : this.background.find((each) => each.name === name);
    if (!task) throw new Error(`there is no task ${name}`);
    await this.settledOrHanging(this.disturbed(() => this.runOnce(task)).then(() => undefined));
  }

  /** All that the background has to do now, or that some of its tasks have to, without faults. */
  async settle(names: readonly string[] | null = null): Promise<void> {
    let left = this.background.filter(({ name }) => names === null || names.includes(name));
    for (let round = 0; left.length > 0; round += 1) {
      if (round > roundsAtMost)
        throw new Error(`background work does not come to rest: ${left.map(({ name }) => name).join(', ')}`);
      const busy: Task[] = [];
      for (const task of left) if (await this.runOnce(task)) busy.push(task);
      left = busy;
    }
  }

  /** Runs one round with what it leaves under way; true if more is due at once. */
  private async runOnce(task: Task): Promise<boolean> {
    const { services } = this.world;
    const { wake } = services;
    let woken = false;
    services.wake = (name) => {
      woken ||= name === task.name;
    };
    try {
      const more = await task.run(services, new AbortController().signal);
      await task.settle?.();
      return more || woken;
    } finally {
      services.wake = wake;
    }
  }

  /** Writes that hang go on, and their calls come to their end. */
  async release(): Promise<void> {
    for (let call = this.pending.shift(); call; call = this.pending.shift()) {
      this.storage.release();
      await call;
    }
  }

  private async settledOrHanging(work: Promise<void>): Promise<void> {
    const outcome = await Promise.race([work.then(() => 'settled'), this.storage.nextHold().then(() => 'hangs')]);
    if (outcome === 'hangs') this.pending.push(work);
  }

  private async disturbed<T>(work: () => Promise<T>): Promise<Answer<T>> {
    const { faults, random } = this;
    if (!faults) return answerTo(await outcomeOf(work()), null);
    if (random.chance(faultChance)) faults.arm(...this.randomFault());
    const { died } = faults;
    const outcome = await Promise.race([outcomeOf(work()), died.then(() => 'died' as const)]);
    if (outcome === 'died') {
      if (faults.dead) this.startAgain(faults);
      return { outcome: 'unknown' };
    }
    const fired = this.disarm();
    // The answer, too, may be lost on its way.
    if (!fired && outcome.kind === 'done' && random.chance(0.02)) return { outcome: 'unknown' };
    return answerTo(outcome, fired);
  }

  private randomFault(): [FaultKind, number] {
    const { random } = this;
    const kind = random.weighted(weights);
    // A call has one COMMIT, seldom a second; one that is tried again has more.
    const most = kind.endsWith('Commit') || kind.startsWith('storage') ? 1 : statementsOfACall;
    return [kind, random.below(most)];
  }

  /** The fault that happened to the call, if any did. */
  private disarm(): FaultKind | null {
    const fired = this.faults?.disarm() ?? null;
    if (fired) this.faultCounts.set(fired, (this.faultCounts.get(fired) ?? 0) + 1);
    return fired;
  }

  /** What was in memory is gone, and so are the calls that were under way. */
  private startAgain(faults: Faults): void {
    this.disarm();
    this.crashes += 1;
    this.storage.forget();
    this.pending = [];
    faults.restart();
    this.background = tasks();
    this.restartDatabase();
  }
}

type CallOutcome<T> = { kind: 'done'; value: T } | { kind: 'failed'; error: unknown };

function outcomeOf<T>(work: Promise<T>): Promise<CallOutcome<T>> {
  return work.then(
    (value) => ({ kind: 'done', value }),
    (error: unknown) => ({ kind: 'failed', error }),
  );
}

/** What a caller hears; an error that neither the caller nor a fault explains is thrown. */
function answerTo<T>(outcome: CallOutcome<T>, fired: FaultKind | null): Answer<T> {
  if (outcome.kind === 'done') return { outcome: 'done', value: outcome.value };
  if (fired) return { outcome: 'unknown' };
  if (outcome.error instanceof Problem) return { outcome: 'refused' };
  throw outcome.error;
}
