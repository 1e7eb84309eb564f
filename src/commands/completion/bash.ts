import type { CompletedCommand } from './command-tree.js';

/** A script for bash 3.2 and newer, which needs no other. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const cases = commands.map((command) => {
    const words = [
      ...command.commands.map(({ name }) => name),
      ...command.choices,
      ...command.options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--'))),
    ];
    const files = command.takesFile ? 1 : 0;
    return `    ${quote(command.path.join(' '))})\n      words=${quote(words.join(' '))}\n      files=${files} ;;`;
  });
  const paths = commands.filter(({ path }) => path.length > 0).map(({ path }) => quote(path.join(' ')));
  const values = valuesOf(commands).map(
    ({ key, choices, isFree }) =>
      `    ${quote(key)})\n      ${isFree ? 'files=1 words=' : `words=${quote(choices.join(' '))}`}\n      value=1 ;;`,
  );
  return `# Completion of slipway for bash.
_slipway() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= words= files=0 value=0 index next
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${path:+$path }\${COMP_WORDS[index]}"
    case $next in
      ${paths.join('|')}) path=$next ;;
    esac
  done
  case "$path $prev" in
${values.join('\n')}
  esac
  if ((!value)); then
    case $path in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if ((files)); then COMPREPLY+=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _slipway slipway
`;
}

/** Options that take a value, by the command and the spelling that come before the value. */
function valuesOf(commands: readonly CompletedCommand[]) {
  return commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ flags, choices }) =>
        flags.map((flag) => ({ key: `${path.join(' ')} ${flag}`, choices, isFree: choices.length === 0 })),
      ),
  );
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
