import type { TestContext } from 'vitest';

const printed = new Set<string>();

/** Says once a process why tests are skipped, also where the reporter leaves out titles of skipped tests. */
function titleOfSkipped(title: string, reason: string): string {
  if (!printed.has(reason)) process.stderr.write(`skipped: ${title}: ${reason}\n`);
  printed.add(reason);
  return `${title} (skipped: ${reason})`;
}

/**
 * `describe` where `reason` is null. Otherwise the suite is skipped with the reason in its title and on stderr, and its
 * tests are not collected: what they read at once may be what is missing.
 */
export function describeUnless(reason: string | null, title: string, tests: () => void): void {
  if (reason === null) describe(title, tests);
  else describe.skip(titleOfSkipped(title, reason), () => void test('needs what is missing', () => undefined));
}

/**
 * `test` where `reason` is null; otherwise the test is skipped with the reason in its title and on stderr. A number is
 * the test's time in milliseconds.
 */
export function testUnless(
  reason: string | null,
  title: string,
  run: (context: TestContext) => void | Promise<void>,
  limits?: number | { readonly timeout: number; readonly retry: number },
): void {
  if (reason === null) test(title, typeof limits === 'number' ? { timeout: limits } : (limits ?? {}), run);
  else test.skip(titleOfSkipped(title, reason), run);
}
