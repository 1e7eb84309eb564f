/**
 * Limits of a pipeline definition; each is checked early, and the message names the number. Limits on sizes are in
 * `sumLimits`.
 */
export const stepLimits = {
  /**
   * Characters one text may have once its variables are replaced; all texts of a definition together may have
   * `definitionBytes`.
   */
  interpolatedLength: 1024 * 1024,
  /** Anchors and aliases together: resolving them takes time in their product. */
  anchorsAndAliases: 10_000,
  /** Lexical tokens of YAML: reading costs by these, not by bytes. A definition of 500 elaborate steps has 80,000. */
  tokens: 200_000,
  nestingDepth: 100,
  keyLength: 100,
  skipReasonLength: 70,
  concurrencyGroupLength: 200,
  retryLimit: 10,
  matrixDimensions: 6,
  matrixElements: 25,
  matrixElementBytes: 128,
  matrixAdjustments: 12,
  matrixJobs: 50,
  /** Problems reported at once; an author never reads more. */
  problems: 50,
} as const;
