/** Facts about an agent that its name may contain. */
export interface NameFacts {
  hostname: string | null;
  pid: string | null;
  random: string;
}

const numberMark = /%n(?![a-z])/;

/** Fills in `%hostname`, `%pid` and `%random`, which agents leave to the server if they do not know them. */
export function expandAgentName(name: string, { hostname, pid, random }: NameFacts): string {
  const values: Record<string, string> = { hostname: hostname ?? 'agent', pid: pid ?? '0', random, spawn: '1' };
  return name.replace(/%(hostname|pid|random|spawn)/g, (_mark, word: string) => values[word] ?? '');
}

/** Whether a name holds `%n`, the number that makes it unique among the agents at hand. */
export function isNumbered(name: string): boolean {
  return numberMark.test(name);
}

/** Part of the name before the number; names of other agents with this prefix may have a number. */
export function numberedPrefix(name: string): string {
  return name.slice(0, numberMark.exec(name)?.index ?? name.length);
}

/** Appends the lowest number, from 1, that makes the name unique. */
export function numberName(name: string, existingNames: ReadonlySet<string>): string {
  if (!isNumbered(name)) return name;
  for (let number = 1; ; number += 1) {
    const candidate = name.replace(new RegExp(numberMark, 'g'), String(number));
    if (!existingNames.has(candidate)) return candidate;
  }
}
