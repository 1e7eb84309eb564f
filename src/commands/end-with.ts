/** Time for what was printed to be read, and for handles to close by themselves. */
const patienceMs = 2_000;

/**
 * Has this process end with an exit code once nothing is left to do. A command that failed ends in any case: what it
 * leaves open, such as a database that aborted while it was opened, would keep the process for ever.
 */
export function endWith(code: number): void {
  process.exitCode = code;
  if (code !== 0) setTimeout(() => process.exit(code), patienceMs).unref();
}
