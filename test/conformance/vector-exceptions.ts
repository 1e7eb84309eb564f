import { readFileSync } from 'node:fs';

const { cases, exceptions } = JSON.parse(readFileSync('test/conformance/vectors.json', 'utf8')) as { cases: Record<string, number>; exceptions: Record<string, string> };

/** How many cases each file of vectors of conditions and branch filters holds; docs/conformance.md says it. */
export const vectorCases = cases;

/** Ids of vectors that cannot hold here, each with its reason; docs/conformance.md lists them. */
export const vectorExceptions = exceptions;
