import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LogRenderer } from '../../../../src/domain/builds/logs/terminal/log-renderer.js';
import { safeUrl } from '../../../../src/domain/builds/logs/terminal/url.js';
import { readTimestampMark } from '../../../../src/domain/builds/logs/timestamp-mark.js';
import { renderTerminal } from './arbitrary-logs.js';
import { describeWithVectors, readVectors, vectorsDir, vectorsPresent } from '../../../support/vectors.js';

interface Case {
  id: string;
  kind: string;
  name?: string;
  input?: string;
  expected?: unknown;
  expected_html?: string;
  html?: string;
  osc?: string;
  html_of_sequence?: string;
  max_lines?: number;
  scrolled_out_html_lines?: string[];
  sequence?: string;
  previous_t?: number;
}

interface Fixture {
  id: string;
  input: string;
  expected_html: string;
}

function cases(file: string, ...kinds: string[]): Case[] {
  if (!vectorsPresent) return [];
  return readVectors<{ cases: Case[] }>(`log-rendering/${file}`).cases.filter(({ kind }) => kinds.includes(kind));
}

function bytesOf(name: string): Buffer {
  return readFileSync(resolve(vectorsDir, 'log-rendering', name));
}

describeWithVectors('the log rendering vectors', () => {
  test('the vectors contain cases of every kind', () => {
    expect(cases('cases.json', 'render').length).toBeGreaterThan(0);
    expect(cases('third-party.json', 'render_reference').length).toBeGreaterThan(0);
  });

  test('terminal output is rendered to exactly the expected HTML', () => {
    const all = [
      ...cases('cases.json', 'render', 'plain_text_and_cursor'),
      ...cases('third-party.json', 'render_reference'),
    ];
    for (const { id, input = '', expected_html, html } of all) {
      expect([id, renderTerminal(input)]).toEqual([id, expected_html ?? html]);
    }
  });

  test('inline elements and malformed elements are rendered as expected', () => {
    for (const { id, osc = '', html_of_sequence = '' } of cases('cases.json', 'osc_valid', 'osc_error')) {
      expect([id, renderTerminal(`\u001b]${osc}\u0007`)]).toEqual([id, html_of_sequence]);
    }
  });

  test('URLs are made safe as expected', () => {
    for (const { id, input = '', expected } of cases('cases.json', 'sanitize_url')) {
      expect([id, safeUrl(input)]).toEqual([id, expected]);
    }
  });

  test('timestamp marks are parsed as expected', () => {
    for (const { id, sequence = '', previous_t = 0, expected } of cases('cases.json', 'bk_apc')) {
      const time = readTimestampMark(sequence, BigInt(previous_t))?.time;
      expect([id, time?.toString()]).toEqual([id, (expected as { t?: string }).t]);
    }
  });

  test('lines that scroll out of a small buffer are rendered as expected', () => {
    for (const { id, input = '', max_lines, scrolled_out_html_lines = [] } of cases('cases.json', 'scroll_out')) {
      const renderer = new LogRenderer({ bufferRows: max_lines });
      // The row under the cursor is made by a last write, as the upstream test does.
      const html = renderer.push(Buffer.from(`${input}\u001b_bk;t=0\u0007`));
      expect([id, html]).toEqual([id, scrolled_out_html_lines.join('').replace(/\n$/, '')]);
    }
  });

  test('whole logs of real programs render as expected, at once and byte by byte', () => {
    const { fixtures } = readVectors<{ fixtures: Fixture[] }>('log-rendering/fixtures.json');
    for (const { id, input, expected_html } of fixtures) {
      const bytes = bytesOf(input);
      const expected = bytesOf(expected_html).toString('utf8');
      expect([id, renderTerminal(bytes)]).toEqual([id, expected]);
      const renderer = new LogRenderer();
      let html = '';
      for (let i = 0; i < bytes.length; i++) html += renderer.push(bytes.subarray(i, i + 1));
      expect([id, html + renderer.end()]).toEqual([id, expected]);
    }
  });
});
