import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLine } from '../../../src/console/pages/build/job/log-parts';
import {
  applyStyle,
  colorsOf,
  contrast,
  paletteColor,
  plainStyle,
  readable,
  type Rgb,
} from '../../../src/console/pages/build/job/log-style';
import { nextTimeForm, timeOfLine } from '../../../src/console/pages/build/job/log-times';

const paper: Rgb = [0x10, 0x19, 0x1d];
const channel = fc.nat({ max: 255 });
const rgb = fc.tuple(channel, channel, channel);
const parts = (hex = '') => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

describe('colours of a log', () => {
  test.each([
    [16, [0, 0, 0]],
    [21, [0, 0, 255]],
    [123, [135, 255, 255]],
    [208, [255, 135, 0]],
    [231, [255, 255, 255]],
    [232, [8, 8, 8]],
    [255, [238, 238, 238]],
  ])('colour %i of the palette is that of xterm', (index, color) => {
    expect(paletteColor(index)).toEqual(color);
  });

  test('text can be read, whatever two colours a program writes in', () => {
    fc.assert(
      fc.property(rgb, fc.option(rgb), (foreground, background) => {
        const style = plainStyle();
        applyStyle(style, `38;2;${foreground.join(';')}`);
        if (background) applyStyle(style, `48;2;${background.join(';')}`);
        const colors = colorsOf(style) ?? {};
        const behind = background ? parts(colors['--ansi-bg']) : paper;
        expect(contrast(parts(colors['--ansi-fg']), behind)).toBeGreaterThanOrEqual(4.5);
        if (background) expect(parts(colors['--ansi-bg'])).toEqual(background);
      }),
    );
  });

  test('a colour that can be read is the one that was asked for', () => {
    expect(readable([255, 135, 0])).toEqual([255, 135, 0]);
    expect(parseLine('\u001b[38;5;208morange').spans).toEqual([
      { text: 'orange', className: 'ansi-fg-any', colors: { '--ansi-fg': '#ff8700' } },
    ]);
  });

  test('inverse, struck and the sixteen colours are classes, and each ends where it is ended', () => {
    expect(parseLine('\u001b[7;31ma\u001b[27mb\u001b[9;39mc\u001b[29;48;5;2md\u001b[0me').spans).toEqual([
      { text: 'a', className: 'ansi-inverse ansi-fg-red' },
      { text: 'b', className: 'ansi-fg-red' },
      { text: 'c', className: 'ansi-struck' },
      { text: 'd', className: 'ansi-bg-green' },
      { text: 'e', className: '' },
    ]);
  });

  test('a palette colour gives way to a plain one, and broken codes change nothing', () => {
    expect(parseLine('\u001b[38;5;208m\u001b[32mgreen').spans).toEqual([{ text: 'green', className: 'ansi-fg-green' }]);
    for (const codes of ['38', '38;5', '38;5;999', '38;2', '48;7;1', '999', ';;'])
      expect(parseLine(`\u001b[${codes}mtext`).spans[0]?.text).toBe('text');
  });
});

describe('times of lines', () => {
  const start = Date.UTC(2026, 0, 2, 3, 4, 5);
  test.each([
    [0, '0.0'],
    [12_340, '12.3'],
    [59_960, '1:00.0'],
    [125_000, '2:05.0'],
    [3_725_400, '1:02:05.4'],
    [-1_500, '−1.5'],
    [-10, '0.0'],
  ])('%i ms after the start', (after, text) => {
    expect(timeOfLine('elapsed', start + after, start)).toBe(text);
  });

  test('have three forms and none, in turn', () => {
    expect(timeOfLine('utc', start, null)).toBe('2026-01-02T03:04:05.000Z');
    expect(timeOfLine('clock', start, null)).toMatch(/^\d\d:\d\d:05$/);
    expect([
      timeOfLine('off', start, start),
      timeOfLine('utc', null, start),
      timeOfLine('elapsed', start, null),
    ]).toEqual(['', '', '']);
    expect([nextTimeForm('off'), nextTimeForm('clock'), nextTimeForm('elapsed'), nextTimeForm('utc')]).toEqual([
      'clock',
      'elapsed',
      'utc',
      'off',
    ]);
  });
});
