export type Heads = Readonly<Record<string, string>>;

export interface HeadsComparison {
  /** Heads nobody has told of, to be looked at again before they count as missed. */
  awaited: Record<string, string>;
  /** Heads that were awaited at the last look already, with the commit the branch stood on before. */
  missed: { branch: string; commit: string; before: string | null }[];
}

/**
 * Compares the branches of a repository with those of the last look. `known`: commits that a delivery or build told
 * of. The first look (`before` null) misses nothing: what was there before Slipway is not built after the fact.
 */
export function compareHeads(before: Heads | null, awaited: Heads, now: Heads, known: ReadonlySet<string>): HeadsComparison {
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

/** The heads to remember: those awaited keep what they stood on before, so that the next look sees the change again. */
export function rememberedHeads(before: Heads | null, awaited: Heads, now: Heads): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [branch, commit] of Object.entries(now)) {
    const old = before !== null && Object.hasOwn(before, branch) ? before[branch] : undefined;
    if (!Object.hasOwn(awaited, branch)) kept[branch] = commit;
    else if (old !== undefined) kept[branch] = old;
  }
  return kept;
}
