/** Characters of a line that are looked at. */
export const mostOfMaskedLine = 2_000;

/**
 * What differs from run to run: addresses, words of 32 and more characters, directories of one machine (a name within
 * them stays, but not in those for temporary files), hardware addresses, hexadecimal numbers, days, months, zones,
 * numbers. Each way is tried once at a character, so it takes time linear in the line.
 */
const changing = new RegExp(
  [
    'https?://\\S+',
    '\\w{32,}',
    '/(?:private/)?(?:var/)?tmp/\\S*',
    '/(?:home|usr|var|opt|root|private|Users|Library|builds|workspace)/(?:[^\\s/:]+/)*',
    '\\b(?:[\\da-f]{2}[:-]){5}[\\da-f]{2}\\b',
    '\\b(?:[\\da-f]{1,4}:){3,7}[\\da-f]{0,4}',
    '0x[\\da-f]+|\\b[\\da-f]{8,31}\\b',
    '\\b(?:mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?\\b',
    '\\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\b(?=[ -]?\\d)',
    '\\b(?:utc|gmt|cet|cest|pst|pdt|est|edt)\\b',
    '\\d+',
  ].join('|'),
  'gi',
);

/** A line without what differs from run to run, one space between words: equal for what two runs have in common. */
export function maskedLine(line: string): string {
  return line.slice(0, mostOfMaskedLine).replace(changing, ' ').replace(/\s+/g, ' ').trim();
}
