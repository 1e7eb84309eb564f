import fc from 'fast-check';
import {
  failureExcerpts,
  mostExcerpts,
  mostLinesOfExcerpt,
} from '../../../../src/domain/builds/failures/failure-excerpts.js';
import { markOfLine } from '../../../../src/domain/builds/failures/failure-lines.js';

const filler = (count: number, what = 'working on part') =>
  Array.from({ length: count }, (_, index) => `${what} ${index}`);

/** A log in which this happens between much else. */
const among = (...lines: string[]) => [...filler(200), ...lines, ...filler(200, 'cleaning up')].join('\n');

describe('the parts of a log that tell of a failure', () => {
  // Lines as the tools print them, each of which must be in an excerpt of its log.
  test.each([
    ['a C compiler', 'main.c:12:5: error: expected expression before return'],
    ['a linker', "/usr/bin/ld: app.o: in function `main': undefined reference to `start'"],
    ['TypeScript', 'src/a.ts(3,7): error TS2322: Type string is not assignable to type number.'],
    ['ESLint', '  12:3  error  Unexpected console statement  no-console'],
    ['Rust', 'error[E0308]: mismatched types'],
    ['a Rust test', "thread 'tests::adds' panicked at src/lib.rs:9:5:"],
    ['a Go test', '--- FAIL: TestAdds (0.00s)'],
    ['a Go compiler', './main.go:9:2: undefined: start'],
    ['Go', 'panic: runtime error: index out of range [3] with length 3'],
    ['pytest', 'E       assert 3 == 4'],
    ['the summary of pytest', 'FAILED tests/test_math.py::test_adds - assert 3 == 4'],
    ['unittest', 'AssertionError: 3 != 4'],
    ['Jest', '  ● math › adds two numbers'],
    ['TAP', 'not ok 3 - adds two numbers'],
    ['Mocha', '  1) adds two numbers:'],
    ['RSpec', 'rspec ./spec/math_spec.rb:12 # Math adds two numbers'],
    ['Gradle', 'MathTest > adds() FAILED'],
    ['Gradle, of itself', '* What went wrong:'],
    ['Maven', '[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.1:compile'],
    ['MSBuild', 'Program.cs(9,13): error CS0103: The name x does not exist [/src/app.csproj]'],
    ['npm', 'npm ERR! code ERESOLVE'],
    ['a shell', 'bash: line 3: terraform: command not found'],
    ['make', 'make: *** [Makefile:9: all] Error 2'],
    ['git', "fatal: could not read Username for 'https://github.com': terminal prompts disabled"],
    ['the kernel', 'Killed'],
    ['Node, out of memory', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
    ['a full disk', 'write /tmp/x: no space left on device'],
    ['Docker', 'ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2'],
    ['Terraform', 'Error: Invalid reference'],
    ['a connection', 'curl: (7) Failed to connect to example.com port 443: Connection refused'],
    ['the agent', '🚨 Error: The command exited with status 1'],
    ['ScalaTest', '[info] - adds two numbers *** FAILED ***'],
    ['Surefire', 'adds(MathTest)  Time elapsed: 0.053 sec  <<< ERROR!'],
    ['prove', 't9502-parse.sh ............ Dubious, test returned 1 (wstat 256, 0x100)'],
    ['Common Test', 'suite:recv_message failed on line 535'],
    ['Pester', '[-] Adds two numbers 191ms'],
    ['RuboCop', 'lib/a.rb:158:17: C: Performance/RegexpMatch: Use match? instead of =~.'],
    ['a suite of scripts', '=>visual-mode/orientation FAIL'],
    ['a workflow command', '##[error]Process completed with exit code 1.'],
  ])('%s', (_tool, line) => {
    const found = failureExcerpts(among(line)).filter(({ text }) => text.split('\n').includes(line));
    expect(found.map(({ kind }) => kind === 'end')).toEqual([false]);
  });

  test.each([
    'The command "make check" exited with 2.',
    '##[error]Process completed with exit code 1.',
    'ERROR: Job failed: command terminated with exit code 137',
  ])('are what stands before %s, whatever it says', (line) => {
    const said = ['Links', '1. 301 http://a.example.com/', 'Package size: 114.72 KB'];
    const [first] = failureExcerpts(among(...said, '', line));
    expect(first?.text.split('\n')).toEqual(expect.arrayContaining([...said, line]));
    expect(first?.kind).toBe('error');
  });

  test.each([
    'The command "make check" exited with 0.',
    '0 errors, 0 warnings',
    'Tests: 12 passed, 0 failed',
    'failures: 0',
    'warning: this will be an error in a later release',
    'Compiling thiserror v1.0.40',
    'ok 3 - reports errors of the parser',
    '✓ fails on a missing file (3 ms)',
    'make -k || true # errors are not fatal (ignored)',
  ])('no word of failure makes one of: %s', (line) => {
    expect(markOfLine(line)).toBeNull();
  });

  it('shows a Python trace down to what it tells', () => {
    const trace = [
      'Traceback (most recent call last):',
      ...Array.from({ length: 60 }, (_, at) => `  File "/app/a.py", line ${at}, in call`),
      'ValueError: it is too deep',
    ];
    const stack = failureExcerpts(among(...trace)).find(({ kind }) => kind === 'stack');
    expect(stack?.text).toContain('ValueError: it is too deep');
  });

  it('shows the beginning of a group that is open, without colors and what was written over', () => {
    const log = `--- Closed\nx\n\u001b[36m+++ Summary\u001b[0m\n10%\r50%\r100% of it\n--- More\n${filler(100).join('\n')}`;
    expect(failureExcerpts(log)[0]).toMatchObject({ kind: 'group', firstLine: 2, text: '+++ Summary\n100% of it' });
  });

  it('shows the first and the last of many equal errors, and the end', () => {
    const errors = Array.from({ length: 100 }, (_, at) => [...filler(50), `a.c:${at}:1: error: no`]).flat();
    const excerpts = failureExcerpts([...errors, ...filler(200)].join('\n'));
    const texts = excerpts.map(({ text }) => text).join('\n');
    expect(texts).toContain('a.c:0:1: error');
    expect(texts).toContain('a.c:99:1: error');
    expect(excerpts).toHaveLength(mostExcerpts);
    expect(excerpts.at(-1)?.kind).toBe('end');
  });

  it('looks past the command, which the agent prints before it runs it', () => {
    const command = 'if ! make; then\n  echo "Error: make failed" >&2\n  exit 1\nfi';
    const log = `~~~ Running commands\n$ ${command}\n${filler(200).join('\n')}\nmain.c:1:2: error: no\n${filler(200).join('\n')}`;
    expect(failureExcerpts(log, command)[0]).toMatchObject({ kind: 'error', firstLine: 203 });
    expect(failureExcerpts(log)[0]).toMatchObject({ firstLine: 0 });
  });

  it('leaves mere words of failure out beside a sure error', () => {
    const excerpts = failureExcerpts(among('it failed once', ...filler(100), 'main.c:1:2: error: no'));
    expect(excerpts.map(({ kind }) => kind)).toEqual(['error', 'end']);
    expect(excerpts[0]?.text).toContain('main.c:1:2: error: no');
  });

  it('says nothing of a log without text', () => {
    expect(failureExcerpts('')).toEqual([]);
    expect(failureExcerpts('\n \n\u001b[0m\n')).toEqual([]);
  });

  const line = fc.oneof(
    fc.constantFrom(
      'error: x',
      '  at call (a.js:1:1)',
      '+++ Open',
      '--- Closed',
      '^^^ +++',
      'Traceback (most recent call last):',
      '',
      '   ',
      'FAILED',
    ),
    fc.string({ maxLength: 40 }),
    fc.constant('y'.repeat(3_000)),
  );
  it('is bounded, in order, without overlap, and says where each line is, whatever the log', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), (lines) => {
        const excerpts = failureExcerpts(lines.join('\n'));
        expect(excerpts.length).toBeLessThanOrEqual(mostExcerpts);
        expect(excerpts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(16_500);
        let before = -1;
        for (const { firstLine, lastLine, text } of excerpts) {
          expect(firstLine).toBeGreaterThan(before);
          expect(lastLine - firstLine).toBeLessThan(mostLinesOfExcerpt);
          expect(text.split('\n')).toHaveLength(lastLine - firstLine + 1);
          before = lastLine;
        }
      }),
    );
  });
});
