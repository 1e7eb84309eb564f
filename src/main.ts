#!/usr/bin/env -S node --max-semi-space-size=8

/** The oldest release line of Node that the program runs on, and the oldest of its releases. */
const oldestNode = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldestNode.major || (major === oldestNode.major && minor < oldestNode.minor)) {
  process.stderr.write(
    `error: Node ${process.versions.node} (${process.execPath}) is too old for Slipway: install Node 22.17 or ` +
      `newer of the lines 22 and 24\n`,
  );
  process.exitCode = 1;
} else {
  // Only now: an older Node would end with the stack of the first module that it cannot load.
  const [{ createProgram }, { runProgram }, { endWith }] = await Promise.all([
    import('./commands/program.js'),
    import('./commands/run-program.js'),
    import('./commands/end-with.js'),
  ]);
  endWith(await runProgram(createProgram(), process.argv));
}
