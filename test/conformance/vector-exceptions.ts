import { readFileSync } from 'node:fs';

const { cases, exceptions } = JSON.parse(readFileSync('test/conformance/vectors.json', 'utf8')) as {
  cases: Record<string, number>;
  exceptions: Record<string, string>;
};

/** The number of cases in each file of vectors of conditions and branch filters, as docs/conformance.md states it. */
export const vectorCases = cases;

/** Ids of vectors that cannot hold here, each with its reason; docs/conformance.md lists them. */
export const vectorExceptions = exceptions;
