import { deserialize, serialize } from 'node:v8';
import type { Excerpt } from '../domain/builds/failures/failure-excerpts.js';
import type { FoundSoFar, PartOfFailedLog } from '../domain/builds/failures/extract.js';
import type { LogPattern } from '../domain/builds/logs/search/log-pattern.js';
import type { FoundLines } from '../domain/builds/logs/search/search-lines.js';
import type { RendererState } from '../domain/builds/logs/terminal/log-renderer.js';
import type { BuildConfigurationResult, InterpolationFacts } from '../domain/pipelines/steps/configuration.js';
import type { ParseResult } from '../domain/pipelines/steps/step.js';
import type { ParsedJsonUpload } from '../domain/suites/results/json-upload.js';
import { copyShared } from '../event-loop/shared-bytes.js';
import type { ReadReport, Report } from '../domain/suites/results/report.js';

/** Input and output of each task: plain data, copied between threads except for bytes that they share. */
export interface TaskTypes {
  /** The HTML of an annotation's body; null where it is larger than `most` bytes or nested too deeply. */
  'annotation.render': { input: { body: string; most: number }; output: string | null };
  /**
   * The next piece of a log as HTML, from the state after the piece before it. `bytes` null ends the log; a `state` of
   * null after a piece says that the rest is left out. States are serialised: only threads look into them.
   */
  'log.render': {
    input: { state: Uint8Array | null; bytes: Uint8Array | null };
    output: { html: string; state: Uint8Array | null };
  };
  /** The parts of a log's text that tell why its job, which ran `command`, failed; lines count from 0. */
  'log.excerpt': { input: { text: string; command: string | null }; output: { excerpts: Excerpt[] } };
  /** The lines in a log's bytes that match, at most `most`; lines count from 0. */
  'log.search': { input: { bytes: Uint8Array; pattern: LogPattern; most: number }; output: FoundLines };
  /** The trigrams in the lines of a log's bytes as a bitmap, and the lines that end in them. */
  'log.filter': { input: { bytes: Uint8Array }; output: { trigrams: Uint8Array; lines: number } };
  /** What the next part of a failed job's log adds to what was found in those before it. */
  'log.extract': { input: { before: FoundSoFar; part: PartOfFailedLog }; output: FoundSoFar };
  /** The hashes of the lines in a log's bytes with those that are known; null where there are more than `most`. */
  'log.hash': {
    input: { bytes: Uint8Array; known: Uint8Array; most: number };
    output: { hashes: Uint8Array | null };
  };
  /** The parsed steps of YAML, variables as they were written. */
  'pipeline.parse': { input: { text: string }; output: ParseResult };
  /** The parsed steps of YAML with the variables of one build in their places. */
  'build.parse': { input: { text: string; facts: InterpolationFacts }; output: BuildConfigurationResult };
  /** The parsed steps in the JSON text of a pipeline upload. */
  'upload.parse': { input: { text: string }; output: ParseResult };
  /** The fields of a test upload that is one JSON object; `data` that is large comes as bytes of UTF-8. */
  'upload.read': { input: { bytes: Uint8Array }; output: ParsedJsonUpload };
  /** The owners of each of these files by the rules of a TESTOWNERS file. */
  'tests.own': { input: { content: string; files: string[] }; output: { owners: string[][] } };
  /**
   * Results in a test report, a text or its bytes: at most one more than an upload may have, so that an excess is
   * noticed.
   */
  'results.parse': { input: Report; output: ReadReport };
}
export type TaskName = keyof TaskTypes;
export type TaskInput<Name extends TaskName> = TaskTypes[Name]['input'];
export type TaskOutput<Name extends TaskName> = TaskTypes[Name]['output'];

/** Names of the lists in any form of an output. */
type ListOf<Output> = Output extends object
  ? { [Key in keyof Output]-?: Output[Key] extends readonly unknown[] ? Key & string : never }[keyof Output]
  : never;

/** Reports up to this size, in characters or bytes, are read where they are. */
const reportSize = 16 * 1024;

interface Task<Name extends TaskName> {
  /** Whether its output is copied as JSON text, which costs half of what copying its objects does. */
  asJson?: true;
  /**
   * The list in its output that is copied in pieces, with turns of the event loop between: copied as one, a list of
   * 30 MB holds the loop up for a tenth of a second.
   */
  inPieces?: ListOf<TaskOutput<Name>>;
  /** Milliseconds after which the thread is terminated. */
  limitMs: number;
  /** Size of the input, in characters or bytes. */
  size: (input: TaskInput<Name>) => number;
  /**
   * Inputs up to this size are worked on where they are: the worst of them takes less than 20 ms, and nine in ten
   * installations then never start a thread.
   */
  smallSize: number;
  /** Loads the function that does it, with the libraries it needs. */
  load: () => Promise<(input: TaskInput<Name>) => TaskOutput<Name>>;
}

/** Work whose cost the caller chooses, by name. Every function is of the domain: it needs nothing but its input. */
export const tasks: { readonly [Name in TaskName]: Task<Name> } = {
  'annotation.render': {
    limitMs: 10_000,
    size: ({ body }) => body.length,
    // A table fills up its missing cells, so that 2 KiB can become 650 KiB.
    smallSize: 256,
    load: async () => {
      const { renderAnnotation } = await import('../domain/builds/annotations/render.js');
      return ({ body, most }) => renderAnnotation(body, most);
    },
  },
  'log.render': {
    limitMs: 5_000,
    size: ({ state, bytes }) => (bytes?.length ?? 0) + (state?.length ?? 0),
    smallSize: 32 * 1024,
    load: async () => {
      const { LogRenderer } = await import('../domain/builds/logs/terminal/log-renderer.js');
      return ({ state, bytes }) => {
        const renderer = new LogRenderer({}, state && (deserialize(state) as RendererState));
        const html = bytes === null ? renderer.end() : renderer.push(bytes);
        return { html, state: bytes === null || renderer.isCut ? null : serialize(renderer.state()) };
      };
    },
  },
  'log.excerpt': {
    limitMs: 5_000,
    size: ({ text, command }) => text.length + (command?.length ?? 0),
    smallSize: 16 * 1024,
    load: async () => {
      const { failureExcerpts } = await import('../domain/builds/failures/failure-excerpts.js');
      return ({ text, command }) => ({ excerpts: failureExcerpts(text, command) });
    },
  },
  'log.search': {
    limitMs: 5_000,
    size: ({ bytes }) => bytes.length,
    // A regular expression of a thousand characters takes 10 ms for as many bytes.
    smallSize: 4 * 1024,
    load: async () => {
      const { searchLines } = await import('../domain/builds/logs/search/search-lines.js');
      return ({ bytes, pattern, most }) => searchLines(bytes, pattern, most);
    },
  },
  'log.filter': {
    limitMs: 5_000,
    size: ({ bytes }) => bytes.length,
    smallSize: 32 * 1024,
    load: async () => {
      const { trigramFilter } = await import('../domain/builds/logs/search/trigram-filter.js');
      return ({ bytes }) => trigramFilter(bytes);
    },
  },
  'log.extract': {
    limitMs: 10_000,
    size: ({ part: { bytes, command, passed } }) =>
      passed.reduce((sum, { length }) => sum + length, bytes.length + (command?.length ?? 0)),
    smallSize: 16 * 1024,
    load: async () => {
      const { extractFrom } = await import('../domain/builds/failures/extract.js');
      return ({ before, part }) => extractFrom(before, part);
    },
  },
  'log.hash': {
    limitMs: 10_000,
    size: ({ bytes, known }) => bytes.length + known.length,
    smallSize: 16 * 1024,
    load: async () => {
      const { addHashes } = await import('../domain/builds/failures/line-hashes.js');
      return ({ bytes, known, most }) => ({ hashes: addHashes(known, bytes, most) });
    },
  },
  'pipeline.parse': {
    asJson: true,
    limitMs: 3_000,
    size: ({ text }) => text.length,
    smallSize: 1024,
    load: async () => {
      const { parseConfigurationText } = await import('../domain/pipelines/steps/configuration.js');
      return ({ text }) => parseConfigurationText(text);
    },
  },
  'build.parse': {
    asJson: true,
    limitMs: 3_000,
    size: ({ text }) => text.length,
    smallSize: 1024,
    load: async () => {
      const { parseBuildConfiguration } = await import('../domain/pipelines/steps/configuration.js');
      return ({ text, facts }) => parseBuildConfiguration(text, facts);
    },
  },
  'upload.parse': {
    asJson: true,
    limitMs: 3_000,
    size: ({ text }) => text.length,
    smallSize: 1024,
    load: async () => {
      const { parseUploadText } = await import('../domain/pipelines/steps/configuration.js');
      return ({ text }) => parseUploadText(text);
    },
  },
  'upload.read': {
    limitMs: 10_000,
    size: ({ bytes }) => bytes.length,
    smallSize: 256 * 1024,
    load: async () => {
      const { parseJsonUpload } = await import('../domain/suites/results/json-upload.js');
      return ({ bytes }) => {
        const read = parseJsonUpload(bytes);
        if (!read.ok || typeof read.upload.data !== 'string' || read.upload.data.length <= reportSize) return read;
        return { ok: true, upload: { ...read.upload, data: copyShared(Buffer.from(read.upload.data)) } };
      };
    },
  },
  'tests.own': {
    limitMs: 10_000,
    size: ({ content, files }) => content.length * files.length,
    smallSize: 4 * 1024,
    load: async () => {
      const { ownersByRules, readOwnerRules } = await import('../domain/suites/owners/owner-rules.js');
      return ({ content, files }) => {
        const rules = readOwnerRules(content);
        return { owners: 'problem' in rules ? files.map(() => []) : ownersByRules(rules, files) };
      };
    },
  },
  'results.parse': {
    inPieces: 'results',
    limitMs: 10_000,
    size: ({ data }) => data.length,
    smallSize: reportSize,
    load: async () => (await import('../domain/suites/results/report.js')).readReport,
  },
};
