/** What an excerpt of a log begins with, or shows: an error, a failed test, a stack trace, an open group, its end. */
export const excerptKinds = ['error', 'test', 'stack', 'group', 'end'] as const;
export type ExcerptKind = (typeof excerptKinds)[number];

/** What a line says about a failure: the more weight, the surer it is that the line tells of it. */
export interface LineMark {
  kind: ExcerptKind;
  /** 1: a word that failures have; 5: nothing but a failure prints this. */
  weight: number;
  /** Whether it says that a command has failed, of which the lines before tell why. */
  isEndOfCommand?: true;
}

/** Weight of a line that hardly anything but a failure prints. */
export const sureWeight = 4;

type Rule = readonly [kind: ExcerptKind, weight: number, pattern: RegExp];

/** Words without one of which no rule below applies: nine lines in ten need one test. */
const worthALook = new RegExp(
  [
    'err|fail|fatal|panic|exception|traceback|not ok|not found|no such|denied|killed|memory|segmentation|no space',
    "assert|timed? ?out|refus|unable|cannot|can't|could ?n[o']t|undefined|unresolved|went wrong|exit|abort|invalid",
    'missing|mismatch|expected|conflict|[✗✘×✖●❌🚨]|\\*{3}|\\.go:\\d|dubious|: [CWEF]: ',
    '^(?:\\s*E {2}|\\s*\\[-\\] |\\s*\\d+\\) |-+ FAIL|goroutine |rspec \\.)',
  ].join('|'),
  'iu',
);

/** The first rule that a line meets decides. Lines are without escape sequences and without the time before them. */
const rules: readonly Rule[] = [
  // Stack traces
  ['stack', 5, /^\s*Traceback \(most recent call last\)/],
  ['stack', 5, /^(?:panic|fatal error): |^goroutine \d+ \[running\]|^thread '.*' (?:\(\d+\) )?panicked at /],
  ['stack', 5, /^\s*(?:Exception in thread |Unhandled exception|Uncaught |Caused by: )/],
  ['stack', 4, /^\s*(?:\w+\.)*\w*(?:Exception|Error)(?: \[\w+\])?: \S/],
  ['stack', 3, /^(?:node:internal|file:\/\/|\/).*:\d+$/],
  // Results of tests
  ['test', 5, /^\s*--- FAIL: |^FAIL[\s:]\s*\S|^FAILED (?:\S+::|\S+\.\w+)|^\s*not ok \d+ (?!.*# (?:TODO|SKIP))/],
  ['test', 5, /^E {2,}\S|^ERROR (?:collecting )?\S+\.py\b|^test \S+ \.\.\. FAILED|^(?:FAIL|ERROR): test\w*/],
  ['test', 5, /^rspec \.\/\S+:\d+|^\[(?:ERROR|error)\] {1,4}\S+(?:Test|Spec|IT)\b.*(?::\d+|»)/],
  ['test', 5, /\*\*\* FAILED \*\*\*|<<< (?:ERROR|FAILURE)!|\bFailed \d+\/\d+ subtests|\bDubious, test returned \d/],
  ['test', 5, /^\s*\[-\] \S|\S failed on line \d+\s*$|^\s*(?:Failure|Error):\s*$/],
  ['test', 4, /^\S.* FAIL\s*$/],
  ['test', 4, /^\s*(?:✗|✘|✕|×|✖|❌|●|⨯) +\S|^\s+\d+\) \S|\bAssertion ?(?:Error|Failed)\b|\bassertion (?:`|failed)/i],
  ['test', 4, /^\s*(?:[\w.]+ > )+.* FAILED\s*$|^\S.* (?:FAILED|✗)\s*$|^Tests? run: .*(?:Failures|Errors): [1-9]/],
  ['test', 4, /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b(?!.*\bpassed:? *0*\b.*\bwarn)/i],
  // Compilers and tools
  ['error', 5, /^\S.*?[:(]\d+(?:[:,]\d+)?\)?:? (?:- )?(?:fatal )?error\b/i],
  ['error', 4, /^\S+\.go:\d+:\d+: \S|^\S+:\d+:\d+: [CWEF]: \S/],
  ['error', 5, /^(?:error|fatal|ERROR)(?:\[\w+\])?: \S|\berror (?:TS|CS|C|LNK|MSB|FS|BC|NU|NETSDK|CMake)\d+/],
  ['error', 5, /undefined reference to|unresolved external symbol|ld: (?:symbol|library|cannot)|ld returned \d/],
  ['error', 5, /: (?:command )?not found\s*$|is not recognized as an internal|[Nn]o space left on device/],
  ['error', 5, /heap out of memory|\bOut of memory\b|\bOOM ?[Kk]illed\b|^\s*(?:\S+: line \d+: +\d+ )?Killed\b/],
  ['error', 5, /\bSegmentation fault\b|\(core dumped\)|\bSIG(?:SEGV|ABRT|KILL|BUS)\b|AddressSanitizer:/],
  ['error', 5, /^\* What went wrong:|^CMake Error|^make(?:\[\d+\])?: \*\*\* |^ninja: (?:error|build stopped)/],
  [
    'error',
    5,
    /Cannot find (?:module|package|name)|Module not found|ModuleNotFoundError|ImportError|cannot find package/,
  ],
  ['error', 4, /^(?:error|e|\[error\]|\[ERROR\]|##\[error\]|::error\b.*::|Error|\S+ Error|❌|🚨)[: ]+\S/],
  ['error', 4, /\bBUILD FAIL|\bFAILURE: Build|^npm (?:ERR!|error) (?!A complete log|\s*$)|^error Command failed/],
  ['error', 4, /^(?:\S+: )?fatal: |\bpermission denied\b|No such file or directory|^\S+: (?:cannot|can't|unable to) /i],
  ['error', 3, /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EACCES|ENOENT|ENOSPC|EADDRINUSE|ERESOLVE)\b/],
  ['error', 3, /[Cc]onnection (?:refused|reset|timed out)|[Cc]ould not resolve|TLS handshake|\b(?:401|403|404|50\d) /],
  ['error', 3, /\berror(?:\[\w+\])?:|^\s*\d+:\d+\s+error\s|^\s*\^?\s*(?:Syntax|Type|Reference)Error/i],
  ['error', 3, /\b(?:failed (?:to|with|at)|fatal error|cannot|unable to|timed out|could not|couldn't)\b/i],
  [
    'error',
    3,
    /\b(?:exit(?:ed)?|returned|terminated) (?:with )?(?:(?:exit|status|error) )*(?:code|status)?:? ?[1-9]\d*\b/i,
  ],
  ['error', 2, /\b(?:expected|conflict|mismatch|abort(?:ed|ing)?|panic(?:ked)?|exception|❌|🚨)/i],
  ['error', 1, /(?<![\w/.@-])(?:errors?|failed|failures?|fails|fatal|invalid|missing)(?![\w/@-]|\.\w)/i],
];

/** What agents, CI services and build tools print behind a command that has failed. */
const endOfCommand = new RegExp(
  [
    String.raw`\b(?:command|process|script|job|task|build|step|shell|recipe)\b.*`,
    String.raw`\b(?:exited|exit|ended|completed|failed|returned|terminated) with `,
    String.raw`(?:(?:exit|error|non-zero) )*(?:code|status)?:? ?[1-9]\d*\.?\s*$`,
  ].join(''),
  'i',
);

/** Lines that have such words and tell of no failure. */
const innocent = [
  /\b(?:0|no|zero|without) (?:new )?(?:errors?|fail(?:ed|ures?|ing)?|problems?|issues?|tests? failed)\b/i,
  /\b(?:errors?|failures?|failed|errored)\b['"]?\s*[:=]\s*(?:0\b|\[\]|false|null|none)/i,
  /^\s*(?:warn(?:ing)?\b|npm warn|\[warn(?:ing)?\]|##\[warning\])|: warning\b|\bWARN\b|\bDEBUG\b/i,
  /\(ignored\)|\bwill be ignored\b|\ballowed to fail\b|# (?:TODO|SKIP)\b/i,
  /^\s*(?:✓|✔|√|ok \d+|PASS\b|--- PASS|\d+% )|\.\.\. ok$|\bPASSED\b\s*$/,
  /^\s*(?:Compiling|Download(?:ing|ed)|Checking|Installing|Fetching|Requirement already|Collecting|Adding) /,
  /^\s*(?:Get:\d+|Setting up|Unpacking|Selecting) /,
];

// What tools and other services print before a line.
const timeBefore =
  /^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?)\s?/;

/** What a line of a log, without escape sequences, says about a failure; null for nothing. */
export function markOfLine(line: string): LineMark | null {
  if (!worthALook.test(line)) return null;
  const text = line.replace(timeBefore, '');
  if (endOfCommand.test(text)) return { kind: 'error', weight: 4.5, isEndOfCommand: true };
  const rule = rules.find(([, , pattern]) => pattern.test(text));
  if (!rule) return null;
  const [kind, weight] = rule;
  if (weight < 5 && innocent.some((pattern) => pattern.test(text))) return null;
  return { kind, weight };
}

const continuations =
  /^(?:\s+\S|[|>^~+-] ?|E {2,}|\d+ \||at |goroutine |created by |\.{3} \d+ more|\[ERROR\]|npm (?:ERR!|error))/;

/** Whether a line goes on with what a marked one began: a frame of a stack, an indented detail, a quoted source. */
export function goesOn(line: string): boolean {
  return continuations.test(line.replace(timeBefore, ''));
}
