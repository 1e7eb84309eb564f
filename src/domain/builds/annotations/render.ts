import sanitizeHtml, { type Attributes } from 'sanitize-html';
import { withEmoji } from '../../installation/emoji.js';
import { byteLength, limits } from '../../limits/limits.js';
import { annotationAllowList } from './allow-list.js';
import { renderMarkdown } from './markdown.js';

/**
 * Renders an annotation's body to HTML: Markdown with HTML, blocks of terminal output and emoji, reduced to the
 * allow-list. Returns null if the result exceeds `most` bytes or its elements are nested too deeply.
 */
export function renderAnnotation(body: string, most: number): string | null {
  const rendered = renderMarkdown(body, most);
  const html = rendered === null ? null : sanitise(rendered);
  return html === null || byteLength(html) > most ? null : html;
}

/** Elements whose text is shown verbatim. */
const verbatim: ReadonlySet<string> = new Set(['code', 'pre', 'kbd']);

/** Elements inside each other: the sanitizer takes time with the square of it, so that it is stopped there. */
const deepest = 1000;

class TooDeep extends Error {}

function sanitise(html: string): string | null {
  try {
    return allowed(html);
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

function allowed(html: string): string {
  let depth = 0;
  let verbatimDepth = 0;
  const artifacts = new ArtifactLinks();
  return sanitizeHtml(html, {
    ...annotationAllowList,
    onOpenTag: (name) => {
      if (verbatim.has(name)) verbatimDepth += 1;
      depth += 1;
      if (depth > deepest) throw new TooDeep();
    },
    onCloseTag: (name) => {
      if (verbatim.has(name)) verbatimDepth -= 1;
      depth -= 1;
    },
    textFilter: (text) => (verbatimDepth > 0 ? text : withEmoji(text)),
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: artifacts.limited(attribs, 'href') }),
      img: (tagName, attribs) => ({ tagName, attribs: artifacts.limited(attribs, 'src') }),
    },
  });
}

/** Replaces URLs of artifacts by links to files of the build; links beyond the limit lead nowhere. */
class ArtifactLinks {
  private left: number = limits.annotationArtifactLinks;

  limited(attribs: Attributes, name: 'href' | 'src'): Attributes {
    if (!/^\s*artifact:/i.test(attribs[name] ?? '')) return attribs;
    this.left -= 1;
    if (this.left >= 0) return attribs;
    const { [name]: _address, ...others } = attribs;
    return others;
  }
}
