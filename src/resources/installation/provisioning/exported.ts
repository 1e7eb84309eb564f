/** An entry of the provisioning file in camelCase; undefined and null are left out. */
export interface Exported {
  [key: string]: unknown;
}

/** Order of names that does not depend on the machine's language. */
export const ascending = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** A secret's place in an exported file: the variable that has its value where the file is applied. */
export class SecretReference {
  constructor(readonly variable: string) {}
}

/** The variable for a secret, from its kind and the names on the way to it. */
export function secretNamed(kind: string, ...names: string[]): SecretReference {
  const words = [...names, kind].map((name) =>
    name
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_|_$/g, ''),
  );
  return new SecretReference(words.join('_').replace(/^(?=\d)/, '_'));
}
