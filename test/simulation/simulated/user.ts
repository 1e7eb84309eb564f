import { type AnyOperation, perform } from '../../../src/core/operation.js';
import type { UserCall } from '../checks/ledger.js';
import type { Surroundings } from '../surroundings.js';

const triesAtMost = 4;
/** Keys are kept for a day; one that is nearly as old may be forgotten before the repetition arrives. */
const repeatableMs = 20 * 3_600_000;

interface Remembered {
  call: UserCall;
  operation: AnyOperation;
  input: object;
  at: number;
  /** A second request under the key of one that is under way is refused, and the refusal is not its answer. */
  underWay: boolean;
}

/**
 * A person's program: everything under an idempotency key, repeated where no answer came, and now and then for no
 * reason.
 */
export class SimulatedUser {
  private readonly remembered: Remembered[] = [];

  constructor(private readonly around: Surroundings) {}

  /** `text` is what can be found again: the message of a build, what is added to an annotation. */
  async call(operation: AnyOperation, input: object, text: string | null = null): Promise<void> {
    const { ledger, world, seed } = this.around;
    const call: UserCall = {
      operation: operation.name,
      key: `key-${seed}-${ledger.calls.length}`,
      requestIds: [],
      outcome: 'unknown',
      text,
      resultId: null,
    };
    ledger.calls.push(call);
    const remembered = { call, operation, input, at: world.clock.now().getTime(), underWay: false };
    for (let tries = 1; tries <= triesAtMost && call.outcome === 'unknown'; tries += 1) await this.attempt(remembered);
    this.remembered.push(remembered);
  }

  /** Says again what was said before: the answer is the same, and nothing happens (I11). */
  async repeat(): Promise<void> {
    const { random, world } = this.around;
    const again = random.pick(this.remembered.filter(({ underWay }) => !underWay));
    const age = world.clock.now().getTime() - (again?.at ?? 0);
    if (again && Math.abs(age) < repeatableMs && again.call.outcome === 'done') await this.attempt(again);
  }

  private async attempt(remembered: Remembered): Promise<void> {
    remembered.underWay = true;
    await this.attemptAlone(remembered);
    remembered.underWay = false;
  }

  private async attemptAlone({ call, operation, input }: Remembered): Promise<void> {
    const { world, ledger } = this.around;
    const requestId = this.around.nextRequestId();
    call.requestIds.push(requestId);
    const idempotency = { key: call.key, fingerprint: JSON.stringify(input) };
    await this.around.call(
      async () => perform(operation, await world.as(world.admin, { requestId, idempotency }), input),
      (answer) => {
        if (answer.outcome === 'unknown') return;
        const before = call.outcome;
        if (before !== 'unknown' && before !== answer.outcome)
          ledger.complaints.push(`I11 ${call.operation} under ${call.key} was ${before} and then ${answer.outcome}`);
        call.outcome = answer.outcome;
        if (answer.outcome !== 'done') return;
        const id = resultId(answer.value);
        if (call.resultId !== null && call.resultId !== id)
          ledger.complaints.push(`I11 ${call.operation} under ${call.key} answered ${call.resultId} and then ${id}`);
        call.resultId = id;
      },
    );
  }
}

/** The id of the most particular thing in what an operation returned. */
function resultId(output: unknown): string | null {
  const { annotation, job, build } = (output ?? {}) as Record<string, { id: string } | undefined>;
  return (annotation ?? job ?? build)?.id ?? null;
}
