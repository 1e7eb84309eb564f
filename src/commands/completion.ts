import { Argument, Command } from 'commander';
import { bashCompletion } from './completion/bash.js';
import { describeCommands } from './completion/command-tree.js';
import { fishCompletion } from './completion/fish.js';
import { zshCompletion } from './completion/zsh.js';
import { print } from './output.js';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `slipway completion`: a script that completes command lines, made from the program's own commands. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('Print a script that completes the command lines of slipway in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      '\n  bash  slipway completion bash > ~/.local/share/bash-completion/completions/slipway' +
        '\n  zsh   slipway completion zsh > a folder of $fpath, as _slipway' +
        '\n  fish  slipway completion fish > ~/.config/fish/completions/slipway.fish',
    )
    .action(async (shell: keyof typeof scripts, _options: unknown, command: Command) => {
      const program = command.parent ?? command;
      await print(false, null, scripts[shell](describeCommands(program)));
    });
}
