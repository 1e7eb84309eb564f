import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import { stepsInCycles } from '../../domain/builds/definition-cycles.js';
import { filledText } from '../../domain/input-text.js';
import { limits } from '../../domain/limits/limits.js';
import { withinSizes } from '../../domain/pipelines/steps/definition-sizes.js';
import { placeProblems, type PlacedProblem } from '../../domain/pipelines/steps/place.js';
import { parseConfiguration } from '../../engine/new-builds/parse-definition.js';

/** Checks the YAML of a pipeline as its creation would, and stores nothing; no problems: it is valid. */
export const validatePipeline = defineOperation({
  name: 'pipeline.validate',
  summary: 'Checks the YAML of a pipeline without storing it.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'member',
  input: z.object({ organization: organizationAddress, yaml: filledText(limits.configurationBytes) }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { yaml }): Promise<PlacedProblem[]> => {
    const result = withinSizes(await parseConfiguration(context, yaml));
    return placeProblems(yaml, result.ok ? stepsInCycles(result.definition) : result.problems);
  },
});
