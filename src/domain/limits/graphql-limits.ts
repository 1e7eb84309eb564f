/** The limits of GraphQL documents and operations; part of `limits.ts`. */
export const graphqlLimits = {
  /** Size of a GraphQL document: choice. */
  graphqlDocumentBytes: 256 * 1024,
  /** Nesting of fields in a GraphQL document: choice. */
  graphqlDepth: 30,
  /** Nesting of brackets in a GraphQL document, in fields and values; checked before parsing: choice. */
  graphqlBrackets: 200,
  /** Points of one operation: compatible. */
  graphqlQueryPoints: 50_000,
  /** Characters of the texts of a reply that one point pays for, where its objects have fewer points: choice. */
  graphqlPointCharacters: 4 * 1024,
  /** Points of an organization per five minutes, a hundred times the quota of a shared service: choice. */
  graphqlOrganizationPoints: 2_000_000,
  /** Points of a user per five minutes, a hundred times the quota of a shared service: choice. */
  graphqlUserPoints: 500_000,
  /** Operations of one user that run at a time in one process: choice. */
  graphqlDocumentsAtOnce: 2,
  /** Operations of one user that wait in one process; more are answered 429: choice. */
  graphqlDocumentsWaiting: 100,
  /**
   * Points from which an operation is heavy; one heavy operation of a user and two of all users run at a time in one
   * process: choice.
   */
  graphqlHeavyPoints: 1_000,
  /**
   * Rows that one statement reads for a list inside a list, because they are converted without yielding to other
   * requests: choice.
   */
  graphqlRowsPerBatch: 500,
  /** Errors in one reply; a last error counts the rest: choice. */
  graphqlErrors: 100,
} as const;

/** How many lists inside lists one statement reads, `most` at most, where each has up to `rows` rows. */
export const listsPerStatement = (rows: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor(graphqlLimits.graphqlRowsPerBatch / Math.max(1, rows))));
