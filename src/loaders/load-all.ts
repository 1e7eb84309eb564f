import type DataLoader from 'dataloader';

/** Loads what the ids stand for, each once; null ids are left out. Returns the values by id. */
export async function loadAll<V>(
  loader: DataLoader<string, V>,
  ids: readonly (string | null)[],
): Promise<Map<string, V>> {
  const distinct = [...new Set(ids)].filter((id) => id !== null);
  const values = await Promise.all(distinct.map((id) => loader.load(id)));
  return new Map(values.map((value, index) => [distinct[index] ?? '', value]));
}
