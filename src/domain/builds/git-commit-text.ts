/** Commit details that the first job to check out the commit reports. */
export interface CommitFacts {
  /** The full SHA. */
  commit: string;
  author: { name: string | null; email: string | null } | null;
  message: string | null;
}

/**
 * Reads the value of the meta-data key `buildkite:git:commit`: header lines, a blank line and
 * the message indented by four spaces. Null where it names no commit.
 */
export function readCommitText(text: string): CommitFacts | null {
  const lines = text.split(/\r?\n/);
  const blank = lines.findIndex((line) => line.trim() === '');
  const headers = blank < 0 ? lines : lines.slice(0, blank);
  const commit = /^commit ([0-9a-f]{40}|[0-9a-f]{64})\b/i.exec(headers[0] ?? '')?.[1];
  if (!commit) return null;
  const author = headers
    .map((line) => /^Author:\s*(.*?)\s*(?:<([^>]*)>)?\s*$/.exec(line))
    .find((match) => match !== null);
  const message =
    blank < 0
      ? ''
      : lines
          .slice(blank + 1)
          .map((line) => line.replace(/^ {4}/, ''))
          .join('\n')
          .trim();
  return {
    commit: commit.toLowerCase(),
    author: author ? { name: author[1] || null, email: author[2] || null } : null,
    message: message || null,
  };
}

/** Whether a commit is a full SHA as git writes it, in lower case: hosts and their clients know no other form. */
export const isCanonicalSha = (commit: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit);

/** Whether a build's commit is a full SHA and not a ref such as HEAD. */
export const isFullSha = (commit: string): boolean => isCanonicalSha(commit.toLowerCase());
