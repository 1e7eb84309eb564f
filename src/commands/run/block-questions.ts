import { createInterface, type Interface } from 'node:readline/promises';
import type { BlockStep, JsonObject } from '../../domain/pipelines/steps/step.js';

export type Fields = Record<string, string | string[]>;

/** Answers of a person to a block step; null where the build is not to go on. */
export type AskBlock = (step: BlockStep) => Promise<Fields | null>;

/** A field of a block step that nobody can fill in here. */
export class UnansweredField extends Error {
  override readonly name = 'UnansweredField';
}

/** Unblocks with the defaults of the fields. Throws UnansweredField for a required one without a default. */
export async function answerWithDefaults(step: BlockStep): Promise<Fields> {
  const fields: Fields = {};
  for (const field of step.fields) {
    const value = defaultOf(field);
    if (value !== undefined) fields[String(field['key'])] = value;
    else if (field['required'] !== false)
      throw new UnansweredField(
        `the field "${String(field['key'])}" of the step "${blockName(step)}" is required and has no default`,
      );
  }
  return fields;
}

/** Asks on the terminal: whether to go on, then each field. `cancelled` ends a question. */
export function askOnTerminal(cancelled: AbortSignal, onInterrupt: () => void): AskBlock {
  return async (step) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    // A terminal that is read from gives Ctrl-C to the reader instead of making a signal of it.
    terminal.on('SIGINT', onInterrupt);
    try {
      return await ask(terminal, step, cancelled);
    } catch (error) {
      if (cancelled.aborted) return null;
      throw error;
    } finally {
      terminal.close();
    }
  };
}

async function ask(terminal: Interface, step: BlockStep, signal: AbortSignal): Promise<Fields | null> {
  if (step.prompt !== null) process.stdout.write(`${step.prompt}\n`);
  if (step.type === 'block') {
    const reply = await terminal.question(`Unblock "${blockName(step)}"? [y/N] `, { signal });
    if (!/^y(es)?$/i.test(reply.trim())) return null;
  }
  const fields: Fields = {};
  for (const field of step.fields) {
    const value = await askField(terminal, field, signal);
    if (value !== undefined) fields[String(field['key'])] = value;
  }
  return fields;
}

async function askField(
  terminal: Interface,
  field: JsonObject,
  signal: AbortSignal,
): Promise<Fields[string] | undefined> {
  const title = String(field['text'] ?? field['select'] ?? field['key']);
  const options = optionsOf(field);
  for (const { label, value } of options) process.stdout.write(`  ${value}${label === value ? '' : `  ${label}`}\n`);
  const preset = defaultOf(field);
  const shown = preset === undefined ? '' : ` [${[preset].flat().join(', ')}]`;
  for (;;) {
    const multiple = field['multiple'] === true;
    const reply = (
      await terminal.question(`${title}${multiple ? ' (with commas between)' : ''}${shown}: `, { signal })
    ).trim();
    if (reply === '' && preset !== undefined) return preset;
    if (reply === '' && field['required'] === false) return undefined;
    const values = multiple ? reply.split(',').map((value) => value.trim()) : [reply];
    const known = options.length === 0 || values.every((value) => options.some((option) => option.value === value));
    if (reply !== '' && known) return multiple ? values : reply;
    process.stdout.write(reply === '' ? 'A value is required.\n' : 'Choose from the values above.\n');
  }
}

function optionsOf(field: JsonObject): { label: string; value: string }[] {
  const options = Array.isArray(field['options']) ? (field['options'] as JsonObject[]) : [];
  return options.map(({ label, value }) => ({ label: String(label ?? value), value: String(value ?? label) }));
}

function defaultOf(field: JsonObject): Fields[string] | undefined {
  const value = field['default'];
  if (value === undefined || value === null || value === '') return undefined;
  return Array.isArray(value) ? value.map(String) : String(value);
}

export function blockName(step: BlockStep): string {
  return step.label ?? step.key ?? step.type;
}
