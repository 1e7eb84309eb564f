/**
 * Resolves with the result of the work, or rejects after the given milliseconds with the error of `expired`; the work
 * continues.
 */
export async function within<T>(
  work: Promise<T>,
  milliseconds: number,
  expired: () => Error = () => new Error(`no answer within ${milliseconds} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(expired()), milliseconds);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
