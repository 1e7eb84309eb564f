import { useLocation } from '@tanstack/react-router';

/** Lines selected or copied at once. */
export const mostSelected = 5_000;

/** `L12` or `L12-L40` at the end of an address: the first and last line, from 0. */
function linesOf(hash: string): [number, number] | null {
  const match = /\/L(\d+)(?:-L(\d+))?$/.exec(hash);
  if (!match) return null;
  const first = Number(match[1]) - 1;
  const last = match[2] ? Number(match[2]) - 1 : first;
  return first < 0 || last < first ? null : [first, Math.min(last, first + mostSelected)];
}

/**
 * Lines of a text that the address behind `#` names: `TEXT/L12` or `TEXT/L12-L40`.
 * @returns the lines, from 0, and the address of a line; with `extend`, of all from the line chosen before
 */
export function useLinesOfAddress(text: string) {
  const { hash } = useLocation();
  const chosen = hash.startsWith(`${text}/`) ? linesOf(hash) : null;
  const addressOf = (line: number, extend = false) => {
    const from = extend && chosen ? chosen[0] : line;
    const [first, last] = from <= line ? [from, line] : [line, from];
    return `${text}/${first === last ? `L${first + 1}` : `L${first + 1}-L${last + 1}`}`;
  };
  return { chosen, addressOf };
}
