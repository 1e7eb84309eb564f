import type { Json, JsonObject } from '../steps/step.js';
import type { Person } from './provider-event.js';

/** The value at a path, null where there is none. Providers leave out what they do not know. */
export function at(value: Json | undefined, ...path: string[]): Json {
  let current: Json | undefined = value;
  for (const key of path) {
    if (current === null || typeof current !== 'object' || Array.isArray(current) || !Object.hasOwn(current, key)) return null;
    current = current[key];
  }
  return current ?? null;
}

/** Text at a path; null for anything else and for the empty text. */
export function textAt(value: Json | undefined, ...path: string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' && found !== '' ? found : null;
}

/** A number or text at a path, as text: ids are the one here and the other there. */
export function idAt(value: Json | undefined, ...path: string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'number' ? String(found) : typeof found === 'string' && found !== '' ? found : null;
}

export function flagAt(value: Json | undefined, ...path: string[]): boolean | null {
  const found = at(value, ...path);
  return typeof found === 'boolean' ? found : null;
}

/** The objects of a list at a path. */
export function objectsAt(value: Json | undefined, ...path: string[]): JsonObject[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter((each): each is JsonObject => each !== null && typeof each === 'object' && !Array.isArray(each)) : [];
}

/** Texts of one key of the objects of a list. */
export function namesAt(value: Json | undefined, key: string, ...path: string[]): string[] {
  return objectsAt(value, ...path).flatMap((each) => textAt(each, key) ?? []);
}

/** A person with `name`, `email` and `username`, null where none of them is told. */
export function personAt(value: Json | undefined, ...path: string[]): Person | null {
  const found = at(value, ...path);
  const person = { name: textAt(found, 'name'), email: textAt(found, 'email'), username: textAt(found, 'username') };
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
