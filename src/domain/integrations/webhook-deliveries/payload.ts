import type { Json, JsonObject } from '../../pipelines/steps/step.js';
import type { Person } from './provider-event.js';

/** Returns the value at a path; null if it is absent, as providers leave out unknown values. */
export function at(value: Json | undefined, ...path: string[]): Json {
  let current: Json | undefined = value;
  for (const key of path) {
    if (current === null || typeof current !== 'object' || Array.isArray(current) || !Object.hasOwn(current, key))
      return null;
    current = current[key];
  }
  return current ?? null;
}

/** Text at a path; null for anything else and for the empty text. */
export function textAt(value: Json | undefined, ...path: string[]): string | null {
  const member = at(value, ...path);
  return typeof member === 'string' && member !== '' ? member : null;
}

/** Returns a number or text at a path as text: some providers use numbers as ids, others text. */
export function idAt(value: Json | undefined, ...path: string[]): string | null {
  const member = at(value, ...path);
  if (typeof member === 'number') return String(member);
  return typeof member === 'string' && member !== '' ? member : null;
}

export function flagAt(value: Json | undefined, ...path: string[]): boolean | null {
  const member = at(value, ...path);
  return typeof member === 'boolean' ? member : null;
}

/** The objects of a list at a path. */
export function objectsAt(value: Json | undefined, ...path: string[]): JsonObject[] {
  const member = at(value, ...path);
  return Array.isArray(member)
    ? member.filter((each): each is JsonObject => each !== null && typeof each === 'object' && !Array.isArray(each))
    : [];
}

/** Texts of one key of the objects of a list. */
export function namesAt(value: Json | undefined, key: string, ...path: string[]): string[] {
  return objectsAt(value, ...path).flatMap((each) => textAt(each, key) ?? []);
}

/** A person with `name`, `email` and `username`, null when all three are absent. */
export function personAt(value: Json | undefined, ...path: string[]): Person | null {
  const member = at(value, ...path);
  const person = { name: textAt(member, 'name'), email: textAt(member, 'email'), username: textAt(member, 'username') };
  return person.name === null && person.email === null && person.username === null ? null : person;
}

/** True for the commit id of forty (or, with SHA-256, sixty-four) zeros: there is nothing there. */
export const isNoCommit = (commit: string | null) => commit === null || /^0+$/.test(commit);

/** `refs/heads/…` as a branch, `refs/tags/…` as a tag; anything else is neither. */
export function readRef(ref: string | null): { branch: string | null; tag: string | null } {
  if (ref?.startsWith('refs/heads/')) return { branch: ref.slice('refs/heads/'.length), tag: null };
  if (ref?.startsWith('refs/tags/')) return { branch: null, tag: ref.slice('refs/tags/'.length) };
  return { branch: null, tag: null };
}
