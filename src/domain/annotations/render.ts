import sanitizeHtml, { type Attributes } from 'sanitize-html';
import { withEmoji } from '../emoji.js';
import { byteLength, limits } from '../limits.js';
import { annotationAllowList } from './allow-list.js';
import { renderMarkdown } from './markdown.js';

/**
 * The HTML of an annotation's body (rest-facts 8.5): Markdown and the HTML in it, blocks of terminal output, emoji in
 * the place of their names, and of all that only what the allow-list has. Null where it is larger than
 * `most` bytes, or where elements lie inside each other deeper than any page has them.
 */
export function renderAnnotation(body: string, most: number): string | null {
  const rendered = renderMarkdown(body, most);
  const html = rendered === null ? null : sanitise(rendered);
  return html === null || byteLength(html) > most ? null : html;
}

/** Elements whose text is what was written, to the letter. */
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

/** Addresses of artifacts stand for files of the build; past the first ones they lead nowhere (rest-facts 8.5). */
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
