import { LogRenderer } from '../logs/terminal/log-renderer.js';

/** Languages of code fences that contain terminal output. */
export const terminalLanguages: ReadonlySet<string> = new Set(['term', 'terminal']);

const step = 16 * 1024;

/**
 * The HTML of terminal output in an annotation, or null where it is longer than `most` characters: a few bytes that
 * move the cursor can become many lines, so that the length is watched while it grows.
 */
export function renderTerminalBlock(text: string, most: number): string | null {
  const renderer = new LogRenderer({ timestamps: false });
  const bytes = new TextEncoder().encode(text.replace(/\n$/, ''));
  let html = '';
  for (let at = 0; at < bytes.length; at += step) {
    html += renderer.push(bytes.subarray(at, at + step));
    if (html.length > most) return null;
  }
  html += renderer.end();
  return html.length > most ? null : `<pre class="term"><code>${html}</code></pre>\n`;
}
