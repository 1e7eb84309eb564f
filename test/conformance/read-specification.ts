import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { vectorsDir } from '../support/vectors.js';
import { describeUnless } from '../support/skips.js';

/** The folder of the specification: beside the vectors unless `SPEC_DIR` names another. Nothing of it is copied. */
export const specificationDir = process.env['SPEC_DIR'] ?? resolve(vectorsDir, '../spec');
export const specificationPresent = existsSync(resolve(specificationDir, 'api-v2.md'));

/** `describe` where the specification is present, a visible skip where it is not. */
export function describeWithSpecification(title: string, tests: () => void): void {
  describeUnless(specificationPresent ? null : `${specificationDir} has no specification`, title, tests);
}

/** A line of a specification that a test must name. */
export interface SpecificationRow {
  /** Six letters made of the row's own words and its heading: they change with the row, and with nothing else. */
  name: string;
  text: string;
}

/** Reads one file of the specification. */
export function readSpecification(name: string): string {
  return readFileSync(resolve(specificationDir, name), 'utf8');
}

const heading = /^#/;
const separator = /^\|[-| ]+\|$/;

/**
 * Every line that says something: endpoints, table rows, numbered rules, bullets, sentences. Left out are headings,
 * the heads of tables, and lines that only lead to what follows them (they end in a colon).
 */
export function rowsOf(markdown: string): SpecificationRow[] {
  const lines = markdown.split('\n');
  let section = '';
  return lines.flatMap((raw, index) => {
    const text = raw.trim();
    if (heading.test(text)) section = text.replace(/^#+ */, '');
    const headOfTable = text.startsWith('|') && separator.test(lines[index + 1]?.trim() ?? '');
    if (text === '' || heading.test(text) || separator.test(text) || headOfTable || text.endsWith(':')) return [];
    return [{ name: nameOf(section, text), text }];
  });
}

/** Letters only: keys of digits would change their order in an object. */
function nameOf(section: string, text: string): string {
  const digest = createHash('sha256')
    .update(`${section}\n${text.replace(/\s+/g, ' ')}`)
    .digest('hex');
  return digest.slice(0, 6).replace(/[0-9a-f]/g, (digit) => 'abcdefghijklmnop'.charAt(parseInt(digit, 16)));
}

/** The numbers of the rules of a list of numbered rules. */
export function ruleNumbers(markdown: string): number[] {
  return [...markdown.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
}
