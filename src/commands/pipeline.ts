import { Command } from 'commander';
import { print } from './output.js';

/** `slipway pipeline validate`: reads a pipeline file as the server would. */
export function pipelineCommand(): Command {
  const validate = new Command('validate')
    .description('Check a pipeline file as the server reads it, and print its problems or its plan.')
    .argument('[file]', 'the file, "-" for stdin (default: the one that a pipeline upload would find here)')
    .option('--json', 'print problems and plan as JSON')
    .addHelpText(
      'after',
      '\nPrints FILE:LINE:COLUMN: PROBLEM and exits with 1 where there are problems. Variables are not ' +
        'replaced, and every' +
        '\n"if" and "branches" is taken to hold: both are known only to a build. A warning is no problem: a ' +
        'server accepts the file.',
    )
    .action(validatePipeline);
  return new Command('pipeline').description('Pipeline files.').addCommand(validate);
}

async function validatePipeline(name: string | undefined, options: { json?: boolean }): Promise<void> {
  const { describeProblem, lintPipelineFile, openPipelineFile, parsePipelineFile } =
    await import('./pipeline-file/read.js');
  const { describePlan, planDefinition } = await import('./pipeline-file/plan.js');
  const file = openPipelineFile(name, process.cwd());
  const result = parsePipelineFile(file);
  const { misspelt, warnings } = lintPipelineFile(file);
  const problems = result.ok ? misspelt : [...result.problems, ...misspelt];
  const warned = warnings.map((warning) =>
    describeProblem(file, { ...warning, message: `warning: ${warning.message}` }),
  );
  if (result.ok && problems.length === 0) {
    const plan = planDefinition(result.definition);
    const shown = [...warned, describePlan(file.name, plan)].join('\n');
    await print(options.json, { file: file.name, valid: true, problems, warnings, ...plan }, shown);
    return;
  }
  process.exitCode = 1;
  await print(
    options.json,
    { file: file.name, valid: false, problems, warnings },
    [...problems.map((problem) => describeProblem(file, problem)), ...warned].join('\n'),
  );
}
