import { Lexer, Source, TokenKind } from 'graphql';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import { mostTokens } from './shape.js';

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Throws `malformed` for a document with more than `graphqlBrackets` nested brackets: the parser recurses for each of
 * them and would overflow the stack. The parser refuses documents that the lexer cannot read or that have too many
 * tokens.
 */
export function refuseDeepDocument(document: string): void {
  const lexer = new Lexer(new Source(document));
  let depth = 0;
  try {
    for (let tokens = 0; tokens <= mostTokens && depth <= limits.graphqlBrackets; tokens += 1) {
      const { kind } = lexer.advance();
      if (kind === TokenKind.EOF) return;
      if (opening.has(kind)) depth += 1;
      else if (closing.has(kind)) depth -= 1;
    }
  } catch {
    return;
  }
  if (depth > limits.graphqlBrackets)
    throw new Problem('malformed', `The document has more than ${limits.graphqlBrackets} nested brackets`);
}
