import { checkCondition, evaluateCondition } from '../../../../src/domain/pipelines/conditions/condition.js';
import type { ConditionFacts, EntryPoint } from '../../../../src/domain/pipelines/conditions/condition.js';
import type { Expression } from '../../../../src/domain/pipelines/conditions/ast.js';
import { literalEnvNameProblem, suggestEnvName } from '../../../../src/domain/pipelines/conditions/env.js';
import { parseExpression } from '../../../../src/domain/pipelines/conditions/parser.js';
import { variableType, variableValue } from '../../../../src/domain/pipelines/conditions/variables.js';
import { vectorExceptions } from '../../../conformance/vector-exceptions.js';
import { describeWithVectors, readVectors, vectorsPresent } from '../../../support/vectors.js';

type Values = ConditionFacts['values'];

function read<T>(name: string, empty: T): T {
  return vectorsPresent ? readVectors<T>(`conditionals/${name}.json`) : empty;
}

interface Case {
  id: string;
  name: string;
  mode: 'evaluate' | 'validate';
  entry_point: EntryPoint;
  expr: string;
  variables: Values;
  build_env: Record<string, string>;
  pipeline_env: Record<string, string>;
  expected?: boolean;
  expected_error?: string;
  expected_valid?: boolean;
  message_contains?: string[];
}

describeWithVectors('the conformance vectors of conditions', () => {
  const { cases } = read<{ cases: Case[] }>('conformance', { cases: [] });
  test.each(cases.filter(({ id }) => !(id in vectorExceptions)).map((item) => [item.id, item.name, item] as const))(
    'vector %s gives the expected result: %s',
    (_id, _name, item) => {
      if (item.mode === 'validate') {
        const problem = checkCondition(item.expr, item.entry_point);
        expect(problem?.kind).toBe(item.expected_error);
        for (const part of item.message_contains ?? []) expect(problem?.message).toContain(part);
        return;
      }
      const facts = { values: item.variables, buildEnv: item.build_env, pipelineEnv: item.pipeline_env };
      const result = evaluateCondition(item.expr, facts, item.entry_point);
      expect(result.ok ? result.value : result.kind).toBe(item.expected ?? item.expected_error);
    },
  );
});

interface Variable {
  name: string;
  type: string;
  enum?: string[];
  blank_is_null: boolean;
  entry_points: 'all' | 'step';
}

describeWithVectors('the vectors of condition variables', () => {
  const {
    variables,
    env_allowlist: allowed,
    env_suggestions: suggestions,
  } = read<{
    variables: Variable[];
    env_allowlist: string[];
    env_suggestions: { input: string; suggestion: string }[];
  }>('variables', { variables: [], env_allowlist: [], env_suggestions: [] });

  test.each(variables.map((item) => [item.name, item] as const))(
    'the variable %s has the expected type and scope',
    (name, item) => {
      const type = variableType(name, 'step_notification');
      expect(type).toMatchObject({ kind: item.type, ...(item.enum ? { members: item.enum } : {}) });
      expect(variableType(name, 'build_condition') !== null).toBe(item.entry_points === 'all');
    },
  );

  test.each(variables.filter(({ type }) => type === 'string').map((item) => [item.name, item.blank_is_null] as const))(
    'a blank value of %s reads as null: %s',
    (name, isNull) => {
      // A webhook's pull request event, or its event, action and label would be null for another reason.
      const values = { 'build.source': 'webhook', 'build.source_event': 'pull_request', [name]: ' \t' };
      expect(variableValue(name, { values }) === null).toBe(isNull);
    },
  );

  test.each(allowed)('a condition may read the environment variable %s', (name) =>
    expect(literalEnvNameProblem(name)).toBeNull(),
  );

  test.each(suggestions)('the unknown variable $input suggests "$suggestion"', ({ input, suggestion }) => {
    expect(suggestEnvName(input) ?? '').toBe(suggestion);
  });
});

function print(node: Expression): string {
  switch (node.kind) {
    case 'boolean':
    case 'integer':
      return String(node.value);
    case 'null':
      return 'null';
    case 'variable':
      return node.name;
    case 'call':
      return `${node.name}(${node.args.map(print).join(', ')})`;
    case 'not':
      return `(!${print(node.operand)})`;
    case 'binary':
      return `(${print(node.left)} ${node.operator} ${print(node.right)})`;
    case 'ternary':
      return `(${print(node.condition)} ? ${print(node.consequent)} : ${print(node.alternative)})`;
    default:
      throw new Error(`no vector prints a ${node.kind}`);
  }
}

interface Internal {
  id: string;
  kind: 'parse_tree' | 'evaluate_untyped' | 'evaluate';
  expr: string;
  fully_parenthesised?: string;
  build_env?: Record<string, string>;
  public_api_result?: boolean | string;
}

describeWithVectors('the internal layer vectors of conditions', () => {
  const { cases } = read<{ cases: Internal[] }>('internal-layer', { cases: [] });
  test.each(cases.filter(({ id }) => !(id in vectorExceptions)).map((item) => [item.id, item.expr, item] as const))(
    'vector %s parses or evaluates as expected: %s',
    (_id, _expr, item) => {
      if (item.kind === 'parse_tree') {
        expect(print(parseExpression(item.expr))).toBe(item.fully_parenthesised);
        return;
      }
      const result = evaluateCondition(item.expr, { values: {}, buildEnv: item.build_env }, 'build_condition');
      expect(result.ok ? result.value : result.kind).toBe(item.public_api_result);
    },
  );
});

interface Real {
  contexts: Record<
    string,
    { variables: Values; build_env: Record<string, string>; triggered_from?: Record<string, string | number> }
  >;
  cases: {
    id: string;
    expr_after_upload_interpolation: string;
    expected?: Record<string, boolean>;
    expected_error?: string;
  }[];
}

describeWithVectors('conditions of real pipelines', () => {
  const { contexts, cases } = read<Real>('real-expressions', { contexts: {}, cases: [] });
  const factsOf = (name: string): ConditionFacts => {
    const context = contexts[name];
    if (!context) throw new Error(`no context ${name}`);
    const triggered = Object.entries(context.triggered_from ?? {}).map(([key, value]) => [
      `build.triggered_from.${key}`,
      value,
    ]);
    return {
      values: { ...context.variables, ...(Object.fromEntries(triggered) as Values) },
      buildEnv: context.build_env,
    };
  };

  test.each(cases.filter(({ id }) => !(id in vectorExceptions)).map((item) => [item.id, item] as const))(
    'the real condition %s gives the expected results',
    (_id, item) => {
      const expression = item.expr_after_upload_interpolation;
      if (item.expected_error) expect(checkCondition(expression, 'build_condition')?.kind).toBe(item.expected_error);
      for (const [name, value] of Object.entries(item.expected ?? {})) {
        expect([name, evaluateCondition(expression, factsOf(name), 'build_condition')]).toEqual([
          name,
          { ok: true, value },
        ]);
      }
    },
  );
});
