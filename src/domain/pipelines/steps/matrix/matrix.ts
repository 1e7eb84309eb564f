import { flagOf, isObject, scalarText } from '../attributes/attributes.js';
import { softFailOf } from '../attributes/soft-fail.js';
import { limitOf } from '../../../limits/raised-limits.js';
import { stepLimits } from '../../../limits/step-limits.js';
import type { DefinitionProblem, Json, JsonObject, SoftFail } from '../step.js';

/** One value for each dimension; the single dimension of a matrix without names is called ''. */
export type Permutation = Record<string, string>;

export interface MatrixAdjustment {
  with: Permutation;
  skip: boolean;
  /** null: as the step has it. */
  softFail: SoftFail | null;
}

export interface Matrix {
  setup: Record<string, string[]>;
  adjustments: MatrixAdjustment[];
}

export type MatrixResult = { ok: true; matrix: Matrix } | { ok: false; problems: DefinitionProblem[] };

/**
 * Reads `matrix`: a list, or `{setup: list or map of lists, adjustments}`. Problems have paths relative to the step.
 */
export function parseMatrix(value: Json): MatrixResult {
  const problems: DefinitionProblem[] = [];
  const source: JsonObject = isObject(value) ? value : { setup: value };
  const matrix: Matrix = { setup: readSetup(source['setup'] ?? null, problems), adjustments: [] };
  const adjustments = source['adjustments'] ?? [];
  if (Array.isArray(adjustments)) {
    matrix.adjustments = adjustments.map((item, index) =>
      readAdjustment(item, matrix.setup, `matrix.adjustments[${index}]`, problems),
    );
  } else problems.push({ path: 'matrix.adjustments', message: '"adjustments" must be a list.' });
  if (problems.length === 0) checkLimits(matrix, problems);
  return problems.length === 0 ? { ok: true, matrix } : { ok: false, problems };
}

function readSetup(setup: Json, problems: DefinitionProblem[]): Record<string, string[]> {
  if (!isObject(setup) && !Array.isArray(setup)) {
    problems.push({
      path: 'matrix',
      message: 'A matrix must be a list of values, or a map with "setup" and "adjustments".',
    });
    return {};
  }
  const dimensions = isObject(setup) ? Object.entries(setup) : [['', setup] as [string, Json]];
  const lists = dimensions.map(([name, values]): [string, string[]] => {
    const texts = (Array.isArray(values) ? values : [values]).map(scalarText);
    if (texts.includes(undefined)) {
      const path = name === '' ? 'matrix' : `matrix.setup.${name}`;
      problems.push({ path, message: 'Each value of a matrix must be a string, a number or a boolean.' });
    }
    return [name, texts.filter((text) => text !== undefined)];
  });
  return Object.fromEntries(lists);
}

function readAdjustment(
  item: Json,
  setup: Matrix['setup'],
  path: string,
  problems: DefinitionProblem[],
): MatrixAdjustment {
  const source = isObject(item) ? item : {};
  const values = readWith(source['with'] ?? null);
  const skip = source['skip'] ?? false;
  const adjustment: MatrixAdjustment = {
    with: values ?? {},
    skip: skip !== '' && flagOf(skip) !== false,
    softFail: null,
  };
  if (values === undefined)
    problems.push({ path: `${path}.with`, message: '"with" must give a value for each dimension of the matrix.' });
  else {
    const unknown = Object.keys(values).find((name) => !Object.hasOwn(setup, name));
    if (unknown !== undefined || Object.keys(values).length === 0) {
      problems.push({
        path: `${path}.with`,
        message: 'An adjustment must name dimensions of the matrix, and no other.',
      });
    } else if (
      Object.keys(values).length < Object.keys(setup).length &&
      !Object.entries(values).every(([name, text]) => setup[name]?.includes(text))
    ) {
      problems.push({
        path: `${path}.with`,
        message: 'An adjustment that adds a combination must name every dimension of the matrix.',
      });
    }
  }
  const softFail = source['soft_fail'] ?? null;
  if (softFail !== null) {
    adjustment.softFail = softFailOf(softFail) ?? null;
    if (adjustment.softFail === null)
      problems.push({
        path: `${path}.soft_fail`,
        message: '"soft_fail" must be true, false, or a list of exit statuses.',
      });
  }
  return adjustment;
}

function readWith(value: Json): Permutation | undefined {
  // A list of one is the value of the only dimension.
  const single = scalarText(Array.isArray(value) && value.length === 1 ? value[0] : value);
  if (single !== undefined) return { '': single };
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([name, item]) => [name, scalarText(item)] as const);
  return entries.some(([, text]) => text === undefined) ? undefined : Object.fromEntries(entries as [string, string][]);
}

function checkLimits({ setup, adjustments }: Matrix, problems: DefinitionProblem[]): void {
  const tooMany = (path: string, what: string, count: number, limit: number): void => {
    if (count > limit)
      problems.push({ path, message: `A matrix may have at most ${limit} ${what}; this one has ${count}.` });
  };
  tooMany('matrix', 'dimensions', Object.keys(setup).length, stepLimits.matrixDimensions);
  tooMany('matrix.adjustments', 'adjustments', adjustments.length, limitOf('matrixAdjustments'));
  for (const values of Object.values(setup))
    tooMany('matrix', 'values in one dimension', values.length, limitOf('matrixElements'));
  const texts = [
    ...Object.entries(setup).flat(2),
    ...adjustments.flatMap((adjustment) => Object.values(adjustment.with)),
  ];
  if (texts.some((text) => Buffer.byteLength(text) > stepLimits.matrixElementBytes)) {
    problems.push({
      path: 'matrix',
      message: `Names and values of a matrix may have at most ${stepLimits.matrixElementBytes} bytes.`,
    });
  }
  if (problems.length > 0) return;
  // Counted before they are made: six dimensions of 25 values are 244 million combinations.
  const combinations = Object.values(setup).reduce((product, values) => product * values.length, 1);
  const few = combinations <= limitOf('matrixJobs') + limitOf('matrixAdjustments');
  tooMany('matrix', 'jobs', few ? matrixJobs({ setup, adjustments }).length : combinations, limitOf('matrixJobs'));
}

/** One job of a matrix: its values, and `soft_fail` where an adjustment sets it. */
export interface MatrixJob {
  permutation: Permutation;
  softFail: SoftFail | null;
}

/**
 * Returns the jobs of a matrix in order: every combination (the last dimension changes fastest) with its adjustments,
 * then the combinations that only adjustments name. An adjustment without a dimension matches every value of it.
 * Skipped combinations are left out. If several adjustments match a combination, any skip counts, and the last
 * `soft_fail`.
 */
export function matrixJobs({ setup, adjustments }: Matrix): MatrixJob[] {
  const names = Object.keys(setup);
  const combinations = names.reduce<Permutation[]>(
    (count, name) =>
      count.flatMap((permutation) => (setup[name] ?? []).map((value) => ({ ...permutation, [name]: value }))),
    names.length === 0 ? [] : [{}],
  );
  const jobs = combinations.map((permutation) => ({ permutation, softFail: null as SoftFail | null, skip: false }));
  for (const adjustment of adjustments) {
    const values = Object.entries(adjustment.with);
    const matching = jobs.filter((job) => values.every(([name, value]) => job.permutation[name] === value));
    if (matching.length === 0 && values.length === names.length) {
      jobs.push({ permutation: adjustment.with, softFail: adjustment.softFail, skip: adjustment.skip });
    }
    for (const job of matching) {
      job.softFail = adjustment.softFail ?? job.softFail;
      job.skip ||= adjustment.skip;
    }
  }
  return jobs.filter((job) => !job.skip).map(({ permutation, softFail }) => ({ permutation, softFail }));
}

/** The matrix in its one written form: a list of strings where that says all, else `{setup, adjustments}`. */
export function normalMatrix({ setup, adjustments }: Matrix): Json {
  const anonymous = setup[''];
  const values: Json = anonymous ?? setup;
  if (adjustments.length === 0) return anonymous ?? { setup: values };
  const written = adjustments.map(({ with: combination, skip, softFail }): JsonObject => ({
    with: matrixValue(combination),
    ...(skip ? { skip } : {}),
    ...(softFail === null ? {} : { soft_fail: writtenSoftFail(softFail) }),
  }));
  return { setup: values, adjustments: written };
}

function writtenSoftFail(softFail: SoftFail): Json {
  return typeof softFail === 'boolean' ? softFail : softFail.map(({ exitStatus }) => ({ exit_status: exitStatus }));
}

/** A job's `matrix` on the wire: the value of the only dimension, or a map of dimensions. */
export function matrixValue(permutation: Permutation): string | Permutation {
  return permutation[''] ?? permutation;
}
