import type { RequiredTexts } from '../../../pipelines/conditions/regexp.js';
import { compileLogPattern, type LogPattern } from './log-pattern.js';
import { trigramBits } from './trigram-filter.js';

/** Trigrams that every matching line has: all of some bits of its filter, or what one or each of several says. */
export type RequiredTrigrams = { bits: number[] } | { all: RequiredTrigrams[] } | { any: RequiredTrigrams[] };

/** Bits that one text asks for: more would cost more than they tell. */
const bitsOfText = 16;
/** Bits that a whole pattern asks for. */
const bitsOfPattern = 96;

// eslint-disable-next-line no-control-regex -- ASCII begins with control characters
const ascii = /[\u0000-\u007f]+/g;

/** The trigrams that every line has that matches a pattern; null where nothing is certain. */
export function requiredTrigrams(pattern: LogPattern): RequiredTrigrams | null {
  const compiled = compileLogPattern(pattern);
  if (!compiled.ok) return null;
  const { literal, required } = compiled;
  const trigrams = literal === null ? ofTexts(required) : ofBits(trigramBits(literal));
  return trigrams && count(trigrams) <= bitsOfPattern ? trigrams : null;
}

function ofTexts(texts: RequiredTexts | null): RequiredTrigrams | null {
  if (texts === null) return null;
  // Lower case is the same by itself and in a line only in ASCII: a sigma, for one, depends on what stands beside it.
  if (typeof texts === 'string')
    return ofBits((texts.match(ascii) ?? []).flatMap((run) => trigramBits(run.toLowerCase())));
  if ('all' in texts) {
    const all = texts.all.map(ofTexts).filter((each) => each !== null);
    return all.length === 0 ? null : { all };
  }
  const any = texts.any.map(ofTexts);
  return any.includes(null) ? null : { any: any.filter((each) => each !== null) };
}

function ofBits(bits: readonly number[]): RequiredTrigrams | null {
  const step = Math.ceil(bits.length / bitsOfText);
  return bits.length === 0 ? null : { bits: bits.filter((_bit, index) => index % step === 0) };
}

function count(trigrams: RequiredTrigrams): number {
  if ('bits' in trigrams) return trigrams.bits.length;
  return ('all' in trigrams ? trigrams.all : trigrams.any).reduce((sum, each) => sum + count(each), 0);
}
