import type { CompletedCommand, CompletedOption } from './command-tree.js';

/** A script for zsh's completion system, as a file `_slipway` or to be sourced. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef slipway
# Completion of slipway for zsh.
${commands.map(functionOf).join('\n')}
if [ "$funcstack[1]" = _slipway ]; then _slipway "$@"; else compdef _slipway slipway; fi
`;
}

const nameOf = (path: readonly string[]) => ['_slipway', ...path].join('_').replaceAll('-', '_');

function functionOf(command: CompletedCommand): string {
  const options = command.options.flatMap(specOf);
  const { commands, choices, path } = command;
  if (commands.length === 0) {
    const file = command.takesFile ? [`'*:file:_files'`] : [];
    const argument = choices.length > 0 ? [`'*:value:(${choices.join(' ')})'`] : file;
    const specs = [...options, ...argument].map((spec) => `\\\n    ${spec}`).join(' ');
    return `${nameOf(path)}() {\n  _arguments -s ${specs}\n}`;
  }
  const described = commands.map(({ name, description }) => quote(`${name}:${description}`)).join('\n      ');
  const cases = commands.map(({ name }) => `        ${name}) ${nameOf([...path, name])} ;;`).join('\n');
  return `${nameOf(path)}() {
  local state line
  local -a commands
  _arguments -C ${options.map((spec) => `\\\n    ${spec}`).join(' ')} \\
    '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      commands=(
      ${described}
      )
      _describe command commands ;;
    argument)
      case $line[1] in
${cases}
      esac ;;
  esac
}`;
}

function specOf({ flags, description, takesValue, choices }: CompletedOption): string[] {
  const text = description.replace(/[[\]:]/g, (letter) => `\\${letter}`);
  const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : '';
  return flags.map((flag) => quote(`${flag}[${text}]${value}`));
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
