import MarkdownIt, { type Token } from 'markdown-it';
import { limits } from '../../limits/limits.js';
import { renderTerminalBlock, terminalLanguages } from './terminal-block.js';

/** State of rendering one text. */
interface Budget {
  terminalBlocks: number;
  /** Characters that may still come out. */
  left: number;
}

/** Thrown by the renderer when the output exceeds its limit. */
class TooLong extends Error {}

const markdown = new MarkdownIt({ html: true, linkify: true });
// GFM links text with a scheme and e-mail addresses, but not bare words with dots.
markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false }).add('//', null).add('ftp:', null);

const { fence, code_block: codeBlock } = markdown.renderer.rules;

/** Blocks of terminal output, as far as one annotation may have them; any more are shown like other code. */
markdown.renderer.rules.fence = (tokens, index, options, env, renderer) => {
  const token = tokens[index] as Token;
  const budget = env as unknown as Budget;
  const language = token.info.trim().split(/\s+/, 1)[0] ?? '';
  if (!terminalLanguages.has(language) || budget.terminalBlocks === 0)
    return (fence ?? codeBlock)?.(tokens, index, options, env, renderer) ?? '';
  budget.terminalBlocks -= 1;
  const html = renderTerminalBlock(token.content, budget.left);
  if (html === null) throw new TooLong();
  budget.left -= html.length;
  return html;
};

const alignments: Record<string, string> = { left: 'left-align', center: 'center', right: 'right-align' };

/** Columns are aligned by the classes that annotations may have: a style of its own no element has. */
for (const rule of ['th_open', 'td_open']) {
  markdown.renderer.rules[rule] = (tokens, index, options, _env, renderer) => {
    const token = tokens[index] as Token;
    const alignment = alignments[/text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1] ?? ''];
    if (alignment) token.attrs = [['class', alignment]];
    return renderer.renderToken(tokens, index, options);
  };
}

/**
 * Renders CommonMark with tables, strikethrough and autolinks to unsanitized HTML; null if it would exceed `most`
 * characters. References repeat their URL at each use, so a short text can become a long page; the length is computed
 * before the HTML.
 */
export function renderMarkdown(text: string, most: number): string | null {
  const budget: Budget = { terminalBlocks: limits.annotationTerminalBlocks, left: most };
  const env = budget as unknown as Parameters<typeof markdown.parse>[1];
  const tokens = markdown.parse(text, env);
  budget.left -= lengthOf(tokens);
  if (budget.left < 0) return null;
  try {
    const html = markdown.renderer.render(tokens, markdown.options, env);
    return html.length > most ? null : html;
  } catch (error) {
    if (error instanceof TooLong) return null;
    throw error;
  }
}

/** Characters that tokens bring with them, before any are escaped. */
function lengthOf(tokens: readonly Token[]): number {
  let length = 0;
  for (const { content, attrs, children } of tokens) {
    length += children ? lengthOf(children) : content.length;
    for (const [name, value] of attrs ?? []) length += name.length + String(value).length;
  }
  return length;
}
