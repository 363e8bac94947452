/**
 * Runs `work` for each item, at most `width` at a time. Returns the results in the order of the items. After a failure, no other item
 * begins, and the error is thrown when the running ones have ended, so that no request follows it.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length && failures.length === 0; index = next++)
      await work(items[index] as T).then(
        (result) => {
          results[index] = result;
        },
        (error: unknown) => {
          failures.push(error);
        },
      );
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
