import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

/**
 * Names the tests that passed at their second attempt only, so that CI, which gives a test one, hides none of them:
 * with what failed, at the end of the run and in the file that `RETRIED_TESTS` names.
 */
export default class RetriedTests implements Reporter {
  private readonly names: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const why = test.result().errors?.[0]?.message.slice(0, 500) ?? 'no reason';
    this.names.push(`${test.module.relativeModuleId}: ${test.fullName}: ${why}`);
  }

  onTestRunEnd(): void {
    const lines = this.names.map((name) => `RETRIED ${name}\n`).join('');
    process.stdout.write(lines);
    const file = process.env['RETRIED_TESTS'];
    if (file !== undefined && file !== '') appendFileSync(file, lines);
  }
}
