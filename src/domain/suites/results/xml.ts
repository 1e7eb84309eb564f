import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { limits } from '../../limits/limits.js';
import { UnreadableResults } from './result.js';

/** An element with its content in order. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Text and CDATA directly in it. */
  text: string;
}

/** Entities stay as they are: a document cannot define its own, and the five that XML knows are resolved below. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  maxNestedTags: limits.testReportDepth,
});

type Ordered = Record<string, unknown>;

/**
 * Reads an XML document into its root element; entity expansion is off, nesting has an end. Throws {@link
 * UnreadableResults}.
 */
export function parseXml(text: string): XmlElement {
  const document = text.replace(/^\uFEFF/, '');
  try {
    if (XMLValidator.validate(document, { allowBooleanAttributes: false }) !== true)
      throw new UnreadableResults('is not well-formed XML');
    const [root] = elements(parser.parse(document) as Ordered[]).children;
    if (root) return root;
  } catch (error) {
    if (error instanceof UnreadableResults) throw error;
    throw new UnreadableResults(
      error instanceof Error && error.message.includes('nested')
        ? `is nested more than ${limits.testReportDepth} levels deep`
        : 'is not well-formed XML',
    );
  }
  throw new UnreadableResults('is not well-formed XML');
}

function elements(nodes: readonly Ordered[]): Pick<XmlElement, 'children' | 'text'> {
  const children: XmlElement[] = [];
  let text = '';
  for (const node of nodes) {
    const name = Object.keys(node).find((key) => key !== ':@');
    if (name === undefined) continue;
    const value = node[name];
    if (name === '#text') text += decoded(String(value));
    else if (name === '#cdata') text += (value as Ordered[]).map((part) => String(part['#text'] ?? '')).join('');
    else if (Array.isArray(value))
      children.push({ name, attributes: attributesOf(node[':@']), ...elements(value as Ordered[]) });
  }
  return { children, text };
}

function attributesOf(element: unknown): Record<string, string> {
  if (typeof element !== 'object' || element === null) return {};
  return Object.fromEntries(
    Object.entries(element).map(([name, value]) => {
      const raw = String(value);
      if (raw.includes('<')) throw new UnreadableResults('is not well-formed XML');
      return [name, decoded(raw)];
    }),
  );
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Replaces the five entities of XML and numeric characters; leaves other references unchanged. */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\uFFFD';
    },
  );
}
