/** Result of replacing `${NAME}` in a scalar. */
export interface Expansion {
  text: string;
  /** Whether the scalar contained a variable. */
  expanded: boolean;
  problems: string[];
}

/**
 * Replaces every `${NAME}` by the environment variable, which may be empty; an unset variable is a problem. `$${`
 * stands for `${`, which pipelines write for variables of their builds.
 */
export function expandEnvironment(text: string, env: Record<string, string | undefined>): Expansion {
  const problems: string[] = [];
  let expanded = false;
  const replaced = text.replace(/\$\$\{|\$\{([^}]*)\}?/g, (whole, name: string | undefined) => {
    if (name === undefined) return '${';
    if (!whole.endsWith('}') || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      problems.push(`${whole.endsWith('}') ? whole : '"${"'} does not name an environment variable: write \${NAME}`);
      return whole;
    }
    const value = env[name];
    if (value === undefined) problems.push(`the environment variable ${name} is not set`);
    expanded = true;
    return value ?? '';
  });
  return { text: replaced, expanded, problems };
}

/** Writes a text so that {@link expandEnvironment} gives it back. */
export const withoutExpansion = (text: string) => text.replaceAll('${', () => '$${');
