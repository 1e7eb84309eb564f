import {
  type ASTVisitor,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { limits } from '../../domain/limits/limits.js';

/** Aliases and directives in one document, far above what any client writes: choice. */
const mostAliases = 200;
const mostDirectives = 100;

/** Most tokens of a document, far above what clients send; the lexer refuses more while it reads. */
export const mostTokens = 20_000;

const tooMuch = (message: string, nodes: FieldNode | DocumentNode) =>
  new GraphQLError(message, { nodes: nodes.kind === Kind.DOCUMENT ? [] : nodes });

/** Validation rule that limits nesting, aliases and directives of a document. */
export const documentShapeRule: ValidationRule = (context): ASTVisitor => {
  let aliases = 0;
  let directives = 0;
  return {
    Document: {
      leave: (document) => {
        if (aliases > mostAliases)
          context.reportError(
            tooMuch(`The document has ${aliases} aliases, more than the ${mostAliases} that are allowed`, document),
          );
        if (directives > mostDirectives)
          context.reportError(
            tooMuch(
              `The document has ${directives} directives, more than the ${mostDirectives} that are allowed`,
              document,
            ),
          );
      },
    },
    Field: (field) => {
      if (field.alias) aliases += 1;
    },
    Directive: () => {
      directives += 1;
    },
    OperationDefinition: (operation) => {
      const depth = depthOf(context, operation.selectionSet, new Map(), new Set());
      if (depth > limits.graphqlDepth)
        context.reportError(
          new GraphQLError(
            `The operation is nested ${depth} levels deep, more than the ${limits.graphqlDepth} that are allowed`,
            { nodes: operation },
          ),
        );
    },
  };
};

/**
 * Returns the nesting of fields. Measures each fragment once; a fragment that contains itself, which another rule
 * refuses, counts 0.
 */
function depthOf(
  context: ValidationContext,
  selections: SelectionSetNode,
  known: Map<string, number>,
  open: Set<string>,
): number {
  let deepest = 0;
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      const inner = selection.selectionSet ? depthOf(context, selection.selectionSet, known, open) : 0;
      deepest = Math.max(deepest, 1 + inner);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      deepest = Math.max(deepest, depthOf(context, selection.selectionSet, known, open));
    } else {
      deepest = Math.max(deepest, depthOfFragment(context, selection.name.value, known, open));
    }
  }
  return deepest;
}

function depthOfFragment(
  context: ValidationContext,
  name: string,
  known: Map<string, number>,
  open: Set<string>,
): number {
  const earlier = known.get(name);
  if (earlier !== undefined) return earlier;
  const fragment = context.getFragment(name);
  if (!fragment || open.has(name)) return 0;
  open.add(name);
  const depth = depthOf(context, fragment.selectionSet, known, open);
  open.delete(name);
  known.set(name, depth);
  return depth;
}
