/** Parser states for escape sequences (ECMA-48). */
type State = 'text' | 'escape' | 'intermediate' | 'control' | 'string' | 'stringEscape';

/** Introducers of strings that run to a terminator: OSC, APC, DCS, PM, SOS. */
const strings = new Set([']', '_', 'P', '^', 'X']);
// eslint-disable-next-line no-control-regex -- control characters are what is removed
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g;
// eslint-disable-next-line no-control-regex -- the terminators are control characters
const stringEnd = /[\u0007\u001b\n]/g;

/**
 * Removes escape sequences and control characters from text that comes in pieces; newline, carriage return
 * and tab stay. An unfinished sequence at the end of the log is removed too.
 */
export class EscapeStripper {
  private state: State = 'text';

  /** Takes a piece; gives its visible text. */
  push(text: string): string {
    let out = '';
    let i = 0;
    while (i < text.length) {
      if (this.state === 'text') {
        const escape = text.indexOf('\u001b', i);
        const end = escape < 0 ? text.length : escape;
        out += text.slice(i, end);
        if (escape >= 0) this.state = 'escape';
        i = end + 1;
      } else if (this.state === 'string') i = this.string(text, i);
      else if (this.step(text[i] ?? '')) i++;
    }
    return out.replace(controls, '');
  }

  /** Passes over a string up to its terminator. A newline ends it too, lest one stray introducer hide the whole log. */
  private string(text: string, from: number): number {
    stringEnd.lastIndex = from;
    const terminator = stringEnd.exec(text);
    if (!terminator) return text.length;
    this.state = terminator[0] === '\u001b' ? 'stringEscape' : 'text';
    return terminator[0] === '\n' ? terminator.index : terminator.index + 1;
  }

  /** Takes one character inside a sequence; false if the character belongs to the text after it. */
  private step(character: string): boolean {
    const { state } = this;
    this.state = 'text';
    if (state === 'stringEscape') {
      // A line end ends the string here too.
      if (character === '\n') return false;
      if (character !== '\\') this.state = character === '\u001b' ? 'stringEscape' : 'string';
    } else if (state === 'control') {
      if (character >= ' ' && character <= '?') this.state = 'control';
      else return character >= '@' && character <= '~';
    } else if (character === '[' && state === 'escape') this.state = 'control';
    else if (strings.has(character) && state === 'escape') this.state = 'string';
    else if (character >= ' ' && character <= '/') this.state = 'intermediate';
    else return character >= '0' && character <= '~';
    return true;
  }
}

/** What is left of a line without escapes that a program wrote over, as the log page shows it. */
export function lastStateOf(line: string): string {
  const whole = line.trimEnd();
  return whole.slice(whole.lastIndexOf('\r') + 1);
}
