/** Texts of an exact size in bytes, which differ in their first characters. */
export const textOf = (bytes: number, mark = ''): string => mark.slice(0, bytes).padEnd(bytes, 'x');

export const KiB = 1024;
export const MiB = 1024 * KiB;

/** A document whose step sets so many variables to one text, by aliases. */
export function aliasesOf(count: number, bytes: number): string {
  const names = Array.from({ length: count }, (_, index) => `      V${index}: *text`);
  return ['steps:', '  - command: "true"', '    env:', `      TEXT: &text "${textOf(bytes)}"`, ...names, ''].join('\n');
}

/** A document with so many entries of `notify` that say one text, by aliases. */
export function notifyOf(count: number, bytes: number): string {
  const entry = (index: number) => `  - slack: { channels: ["#c${index}"], message: *text }`;
  const entries = Array.from({ length: count - 1 }, (_, index) => entry(index + 1));
  const first = `  - slack: { channels: ["#c0"], message: &text "${textOf(bytes)}" }`;
  return ['steps: [{ command: "true" }]', 'notify:', first, ...entries, ''].join('\n');
}

/** A document of one command that many jobs run. */
export const parallelOf = (jobs: number, bytes: number): string =>
  `steps:\n  - command: "${textOf(bytes)}"\n    parallelism: ${jobs}\n`;
