export type Heads = Readonly<Record<string, string>>;

export interface HeadsComparison {
  /** New heads without a delivery or build; they are missed if they are unchanged at the next check. */
  awaited: Record<string, string>;
  /** Heads that were already awaited at the last check, with the branch's previous commit. */
  missed: { branch: string; commit: string; before: string | null }[];
}

/**
 * Compares the branch heads of a repository with the heads of the last check. `known`: commits of deliveries and
 * builds. The first check (`before` null) finds no missed heads, because commits older than the connection are not
 * built.
 */
export function compareHeads(
  before: Heads | null,
  awaited: Heads,
  now: Heads,
  known: ReadonlySet<string>,
): HeadsComparison {
  const result: HeadsComparison = { awaited: {}, missed: [] };
  if (before === null) return result;
  for (const [branch, commit] of Object.entries(now)) {
    const old = Object.hasOwn(before, branch) ? (before[branch] ?? null) : null;
    if (commit === old || known.has(commit)) continue;
    const waited = Object.hasOwn(awaited, branch) && awaited[branch] === commit;
    if (waited) result.missed.push({ branch, commit, before: old });
    else result.awaited[branch] = commit;
  }
  return result;
}

/**
 * Returns the heads to store. Awaited branches keep their previous commit, so that the next check sees the change
 * again.
 */
export function rememberedHeads(before: Heads | null, awaited: Heads, now: Heads): Record<string, string> {
  const nextHeads: Record<string, string> = {};
  for (const [branch, commit] of Object.entries(now)) {
    const old = before !== null && Object.hasOwn(before, branch) ? before[branch] : undefined;
    if (!Object.hasOwn(awaited, branch)) nextHeads[branch] = commit;
    else if (old !== undefined) nextHeads[branch] = old;
  }
  return nextHeads;
}
