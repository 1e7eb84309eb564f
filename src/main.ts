#!/usr/bin/env node
import { createProgram } from './commands/program.js';
import { runProgram } from './commands/run-program.js';

process.exitCode = await runProgram(createProgram(), process.argv);
