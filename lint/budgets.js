import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/**
 * What a file may still have of something that new code must not have, by rule and file. The rules below demand that each
 * number is exact, so that it shrinks with the file; test/lint/budgets.test.ts demands that no sum grows.
 */
const budgets = JSON.parse(readFileSync(new URL('./budgets.json', import.meta.url), 'utf8'));

const participles = new Set(['told', 'kept', 'asked', 'given', 'wanted', 'found', 'made', 'taken', 'seen', 'held']);
const longest = 120;

/** Reports every occurrence in a file that has more of them than its budget, and a budget that is larger than needed. */
function compare(context, budget, occurrences, message) {
  const name = relative(context.cwd, context.filename).split(sep).join('/');
  const most = budgets[budget][name] ?? 0;
  return (program) => {
    if (occurrences.length > most) for (const each of occurrences) context.report({ ...each, message });
    else if (occurrences.length < most)
      context.report({
        node: program,
        message: `lint/budgets.json allows ${most} in ${budget} here, and there are ${occurrences.length}: lower the number.`,
      });
  };
}

/** ESLint rule: a variable, parameter, field or method is not named by a participle such as `found` or `held`. */
export const nounsForThings = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const occurrences = [];
    const check = (node) => {
      if (node?.type === 'Identifier' && participles.has(node.name)) occurrences.push({ node });
    };
    const bound = (node) => {
      if (!node) return;
      if (node.type === 'Identifier') check(node);
      else if (node.type === 'AssignmentPattern') bound(node.left);
      else if (node.type === 'RestElement') bound(node.argument);
      else if (node.type === 'ArrayPattern') node.elements.forEach(bound);
      else if (node.type === 'ObjectPattern') node.properties.forEach((each) => bound(each.value ?? each));
      else if (node.type === 'TSParameterProperty') bound(node.parameter);
    };
    const parameters = (node) => node.params.forEach(bound);
    const key = (node) => !node.computed && check(node.key);
    return {
      VariableDeclarator: (node) => bound(node.id),
      FunctionDeclaration: (node) => (check(node.id), parameters(node)),
      FunctionExpression: parameters,
      ArrowFunctionExpression: parameters,
      TSEmptyBodyFunctionExpression: parameters,
      TSFunctionType: parameters,
      TSMethodSignature: (node) => (key(node), parameters(node)),
      TSPropertySignature: key,
      PropertyDefinition: key,
      MethodDefinition: key,
      'Program:exit': compare(
        context,
        'participles',
        occurrences,
        'Name a thing by a noun (`row`, `input`, `job`) and a function by a verb, not by a participle.',
      ),
    };
  },
};

/** ESLint rule: no line is longer than 120 characters; Prettier does not break texts, so their author does. */
export const shortLines = {
  meta: { type: 'layout', schema: [] },
  create(context) {
    const occurrences = context.sourceCode.lines.flatMap((line, index) =>
      [...line].length > longest ? [{ loc: { line: index + 1, column: longest } }] : [],
    );
    return {
      'Program:exit': compare(
        context,
        'longLines',
        occurrences,
        `A line has at most ${longest} characters: break its text.`,
      ),
    };
  },
};
