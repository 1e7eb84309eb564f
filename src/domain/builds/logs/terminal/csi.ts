import type { Screen } from './screen.js';
import { applySgr } from './style.js';

const endOfLine = Number.MAX_SAFE_INTEGER;
const maxInt64 = 9223372036854775807n;

/** A parameter as a number; missing, malformed or beyond 64 bits means 1, as terminals in this field do. */
function count(parameter: string | undefined): number {
  if (parameter === undefined || !/^\d+$/.test(parameter) || BigInt(parameter) > maxInt64) return 1;
  return Number(parameter);
}

function up(screen: Screen, lines: number): void {
  screen.y = Math.max(0, screen.y - lines);
  screen.x = Math.min(screen.x, screen.size.columns - 1);
}

function down(screen: Screen, lines: number): void {
  screen.y = Math.min(screen.size.lines - 1, screen.y + lines);
  screen.x = Math.min(screen.x, screen.size.columns - 1);
}

function toColumn(screen: Screen, column: number): void {
  screen.x = Math.min(Math.max(0, column - 1), screen.size.columns - 1);
}

/**
 * Absolute positioning. The size of the window the program believed in is unknown (agents differ),
 * so the row is not trusted: a line with content is kept and the cursor goes to the given column of
 * the next line, which inherits the time.
 */
function position(screen: Screen, column: number): void {
  const row = screen.current();
  const leaves = row !== undefined && row.length > 0;
  const stamp = leaves ? row.stamp : null;
  if (leaves) screen.y++;
  toColumn(screen, column);
  if (stamp !== null) screen.stamp(stamp);
}

function eraseInDisplay(screen: Screen, mode: string): void {
  const window = screen.visible(false);
  if (mode === '' || mode === '0') {
    screen.current()?.clear(screen.x, endOfLine);
    for (const row of window.slice(screen.y + 1)) row.clearAll();
  } else if (mode === '1') {
    screen.current()?.clear(0, screen.x);
    for (const row of window.slice(0, screen.y)) row.clearAll();
  } else if (mode === '2') {
    for (const row of window) row.clearAll();
  } else if (mode === '3') {
    for (const row of screen.visible(true)) row.clearAll();
  }
}

function eraseInLine(screen: Screen, mode: string): void {
  const row = screen.current();
  if (mode === '' || mode === '0') row?.clear(screen.x, endOfLine);
  else if (mode === '1') row?.clear(0, screen.x);
  else if (mode === '2') row?.clearAll();
}

const sequences: ReadonlyMap<string, (screen: Screen, parameters: readonly string[]) => void> = new Map<
  string,
  (screen: Screen, parameters: readonly string[]) => void
>([
  ['A', (screen, [n]) => up(screen, count(n))],
  ['B', (screen, [n]) => down(screen, count(n))],
  [
    'C',
    (screen, [n]) => {
      screen.x = Math.min(screen.size.columns - 1, screen.x + count(n));
    },
  ],
  [
    'D',
    (screen, [n]) => {
      screen.x = Math.max(0, screen.x - count(n));
    },
  ],
  [
    'E',
    (screen, [n]) => {
      screen.x = 0;
      down(screen, count(n));
    },
  ],
  [
    'F',
    (screen, [n]) => {
      screen.x = 0;
      up(screen, count(n));
    },
  ],
  ['G', (screen, [n]) => toColumn(screen, count(n))],
  ['H', (screen, [, column]) => position(screen, count(column))],
  ['J', (screen, [mode]) => eraseInDisplay(screen, mode ?? '')],
  ['K', (screen, [mode]) => eraseInLine(screen, mode ?? '')],
  ['M', (screen, parameters) => applySgr(screen.style, parameters)],
  ['Q', () => undefined],
]);

/** Final characters of sequences that are taken in whole and have no effect on a log. */
const ignored = new Set(['I', 'L', 'N']);

/** One colour or attribute: most sequences of most logs. */
const simpleSgr = /^\d{1,3}$/;

const finals = new Set([...sequences.keys(), ...ignored].flatMap((letter) => [letter, letter.toLowerCase()]));

/** True where a control sequence may end with this character (letters count in either case). */
export function endsControlSequence(character: string): boolean {
  return finals.has(character);
}

/**
 * Carries out one control sequence: its final character and the text between `CSI` and it.
 * Empty parameters are dropped; private sequences (`?…`) have no effect.
 */
export function applyControlSequence(screen: Screen, final: string, parameterText: string): void {
  if (final === 'm' && simpleSgr.test(parameterText)) return applySgr(screen.style, [parameterText]);
  const parameters = parameterText.split(';').filter((parameter) => parameter !== '');
  if (parameters[0]?.startsWith('?')) return;
  sequences.get(final.toUpperCase())?.(screen, parameters);
}
