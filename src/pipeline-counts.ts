import { type RawBuilder, sql } from 'kysely';
import { idIn } from './database/id-in.js';
import { setVersion } from './database/row-version.js';
import { unfinishedBuildStates } from './domain/builds/build-state.js';
import { unfinishedJobStates } from './domain/builds/job-state.js';
import {
  addToCounts,
  noPipelineCounts,
  type PipelineCounts,
  type StateCount,
} from './domain/pipelines/pipeline-counts.js';

/**
 * A statement that counts the unfinished builds and jobs of pipelines, as one text: a line for each pipeline with any, its
 * id followed by kind, state and number. They are counted from current rows, so that they cannot drift.
 */
export function pipelineCountLines(pipelineIds: readonly string[]): RawBuilder<string | null> {
  const states = (words: readonly string[]) => sql.join(words.map((word) => sql.lit(word)));
  const ofPipelines = idIn('pipeline_id', pipelineIds);
  const builds = sql`select pipeline_id, 'build' as kind, state, count(*) as number from builds where ${ofPipelines} and state in (${states(unfinishedBuildStates)}) group by pipeline_id, state`;
  const jobs = sql`select pipeline_id, 'job' as kind, state, count(*) as number from jobs where ${ofPipelines} and type in ('command', 'trigger') and state in (${states(unfinishedJobStates)}) group by pipeline_id, state`;
  return sql`(select string_agg(l.line, E'\\n') from (select c.pipeline_id::text || string_agg(concat_ws(' ', c.kind, c.state, c.number), ';' order by c.kind, c.state) as line from (${builds} union all ${jobs}) as c group by c.pipeline_id) as l)`;
}

/** Reads the counts of a pipeline out of its line, without the pipeline's id. */
export function readPipelineCounts(line: string): PipelineCounts {
  const counts = { ...noPipelineCounts };
  for (const text of line === '' ? [] : line.split(';')) {
    const [kind, state, count] = text.split(' ');
    // Each half of the statement has the states of its kind.
    addToCounts(counts, { kind, state, count: Number(count) } as StateCount);
  }
  setVersion(counts, line);
  return counts;
}
