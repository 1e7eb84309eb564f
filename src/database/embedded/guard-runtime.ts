import type { PGlite } from '@electric-sql/pglite';

/** What `execProtocolRawSync` of PGlite uses of its WebAssembly module. */
interface Runtime {
  ___stack_pointer: { value: number };
  _PostgresMainLoopOnce(): void;
  /** Called after an exception of the function above, outside of the `try`. */
  _pgl_setPGliteExitStatus(status: number): number;
}

/**
 * Whether an error is the `WebAssembly.RuntimeError` of a runtime that has aborted, or met what it cannot go on from.
 */
export function isAbortion(error: unknown): error is Error {
  return error instanceof Error && error.name === 'RuntimeError';
}

/**
 * Mends two faults of PGlite's loop over messages, which catches every exception of its runtime. It leaves the stack
 * pointer where the exception left it, so that after some 1,900 failed statements every statement fails with `stack
 * depth limit exceeded` (0.5.16 of PGlite mends that in this way). And it calls a runtime that has aborted again, for
 * ever, in the only thread there is: now every call of an aborted runtime throws its `WebAssembly.RuntimeError`.
 */
export function guardRuntime(pglite: Pick<PGlite, 'Module'>): void {
  const runtime = pglite.Module as unknown as Runtime;
  const { _PostgresMainLoopOnce: runLoop, _pgl_setPGliteExitStatus: setExitStatus, ___stack_pointer: stack } = runtime;
  let abortion: Error | null = null;
  runtime._PostgresMainLoopOnce = () => {
    if (abortion) throw abortion;
    const before = stack.value;
    try {
      runLoop();
    } catch (error) {
      stack.value = before;
      if (isAbortion(error)) abortion = error;
      throw error;
    }
  };
  runtime._pgl_setPGliteExitStatus = (status) => {
    if (abortion) throw abortion;
    return setExitStatus(status);
  };
}
