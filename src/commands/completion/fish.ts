import type { CompletedCommand } from './command-tree.js';

/** A script for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => quote(path.join(' ')));
  return `# Completion of slipway for fish.
function __slipway_at
  set -l path
  for word in (commandline -opc)[2..-1]
    set -l next (string join ' ' -- $path $word)
    contains -- $next ${paths.join(' ')}; and set path $next
  end
  test "$path" = "$argv[1]"
end
complete -c slipway -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options, choices, takesFile }: CompletedCommand): string[] {
  const begin = `complete -c slipway -n ${quote(`__slipway_at ${quote(path.join(' '))}`)}`;
  return [
    ...commands.map(({ name, description }) => `${begin} -a ${quote(name)} -d ${quote(description)}`),
    ...choices.map((choice) => `${begin} -a ${quote(choice)}`),
    ...(takesFile ? [`${begin} -F`] : []),
    ...options.map((option) => {
      const short = option.flags.filter((flag) => !flag.startsWith('--')).map((flag) => ` -s ${flag.slice(1)}`);
      const long = option.flags.filter((flag) => flag.startsWith('--')).map((flag) => ` -l ${flag.slice(2)}`);
      const value = option.choices.length > 0 ? ` -x -a ${quote(option.choices.join(' '))}` : ' -r -F';
      const names = `${short.join('')}${long.join('')}${option.takesValue ? value : ''}`;
      return `${begin}${names} -d ${quote(option.description)}`;
    }),
  ];
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`;
