import { AsyncLocalStorage } from 'node:async_hooks';

type Values = ReadonlyMap<AsyncValue<unknown>, unknown>;

/**
 * The values of all {@link AsyncValue}s: one storage for the process, because each is copied to every promise that is
 * made, whether or not it has a value there.
 */
const storage = new AsyncLocalStorage<Values>();

/** A value that work, and all that it starts, finds without being handed it. */
export class AsyncValue<T> {
  /** Runs `work` with a value. It hides the value of the calling code there; other `AsyncValue`s keep theirs. */
  run<Result>(value: T, work: () => Result): Result {
    return storage.run(new Map(storage.getStore()).set(this, value), work);
  }

  /** The value of the calling code; undefined where there is none. */
  get(): T | undefined {
    return storage.getStore()?.get(this) as T | undefined;
  }
}
