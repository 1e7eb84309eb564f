import { Pace } from '../../src/agent/session/pace.js';

describe('the pace of repeated calls', () => {
  const intervalMs = 2_000;

  /** Seconds between the calls that `call` makes, in a time that passes at once; `chance` delays each. */
  const gaps = async (
    count: number,
    call: (pace: Pace, index: number, take: (ms: number) => void) => void,
    chance = 0,
  ) => {
    let now = 0;
    const take = (ms: number): void => void (now += ms);
    const wait = async (ms: number) => {
      take(ms);
      return true;
    };
    const time = { now: () => now, wait, random: () => chance };
    const pace = new Pace(intervalMs, new AbortController().signal, 0, time);
    const moments = [0];
    for (let index = 1; index <= count; index += 1) {
      await pace.next();
      moments.push(now);
      call(pace, index, take);
    }
    return moments.slice(1).map((moment, index) => (moment - (moments[index] ?? 0)) / 1_000);
  };

  test('calls that are answered at once come once an interval, and each later by chance', async () => {
    expect(await gaps(4, (pace) => pace.answered())).toEqual([0, 2, 2, 2]);
    expect(await gaps(4, (pace) => pace.answered(), 0.5)).toEqual([1, 2, 2, 2]);
  });

  test('calls that fail come less and less often, at last once a minute, and as before once one is answered', async () => {
    const reply = (pace: Pace, call: number) => (call < 8 ? pace.failed() : pace.answered());
    expect(await gaps(11, reply)).toEqual([0, 4, 8, 16, 32, 60, 60, 60, 60, 2, 2]);
  });

  test('calls whose answers take long leave the server as long a pause, and no longer once it is fast', async () => {
    const reply = (pace: Pace, call: number, take: (ms: number) => void) => {
      if (call < 3) take(10_000);
      pace.answered();
    };
    expect(await gaps(5, reply)).toEqual([0, 20, 20, 10, 2]);
  });

  test('a call that is not to wait comes at once', async () => {
    expect(await gaps(3, (pace) => pace.skip())).toEqual([0, 0, 0]);
  });
});
