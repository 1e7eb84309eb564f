import { limits } from '../../limits/limits.js';
import { fail } from './problem.js';
import type { Matcher } from './regexp.js';
import type { ConditionFacts } from './variables.js';

/** Compiling one instruction costs about as much as this many steps of a search. */
const stepsToCompile = 60;

/**
 * Programs of so few instructions come back to few states: a character is looked up, where larger ones work it out each
 * time.
 */
const smallProgram = 16;
const stepsOfSmall = 2;

/**
 * Cost of searching texts of one build, in steps: instructions of the program times characters of the text, the worst
 * case of a search. Conditions are evaluated while the build's rows are locked, so the sum over all conditions of a
 * build is bounded. It is counted and not measured, so that the same build is always refused alike.
 */
export class Effort {
  private static readonly spent = new WeakMap<ConditionFacts, Effort>();
  private readonly results = new Map<string, Map<string, boolean>>();
  private left: number = limits.regexpStepsPerBuild;

  /** The effort of the build that these facts are about. */
  static of(facts: ConditionFacts): Effort {
    const effort = Effort.spent.get(facts) ?? new Effort();
    Effort.spent.set(facts, effort);
    return effort;
  }

  /** Pays for an expression that was compiled to be evaluated. */
  compiled({ size }: Matcher, column: number): void {
    this.spend(size * stepsToCompile, column);
  }

  /**
   * Searches a text; a search done before costs nothing. Ends with an `evaluation` fault at `column` where it would
   * take too many steps.
   */
  matches(matcher: Matcher, text: string, column: number): boolean {
    const ofExpression = this.results.get(matcher.text) ?? new Map<string, boolean>();
    this.results.set(matcher.text, ofExpression);
    const known = ofExpression.get(text);
    if (known !== undefined) return known;
    const steps = (matcher.size <= smallProgram ? stepsOfSmall : matcher.size) * text.length;
    if (steps > limits.regexpSteps)
      fail('evaluation', `regular expression is too large for a text of ${text.length} characters`, column);
    this.spend(steps, column);
    const result = matcher.test(text);
    ofExpression.set(text, result);
    return result;
  }

  private spend(steps: number, column: number): void {
    if (steps > this.left) fail('evaluation', 'the regular expressions of this build take too long together', column);
    this.left -= steps;
  }
}
