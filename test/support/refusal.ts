import { Problem } from '../../src/domain/problem.js';

/** The problem that a call is refused with; anything else fails the test. */
export async function refusal(call: Promise<unknown>): Promise<Problem> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('the call was not refused');
}
