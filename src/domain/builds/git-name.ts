/**
 * The problem of a branch or commit that no build can be made of, or null. Control characters and line breaks would
 * pass into environments, logs and commands of agents, where a line is an entry.
 */
export function gitNameProblem(name: string): string | null {
  if (name.trim() === '') return "can't be blank";
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? 'contains control characters or line breaks' : null;
}
