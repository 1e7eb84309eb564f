import { limits } from '../limits/limits.js';

/** One refused tag; `index` is null where the list as a whole is at fault. */
export interface TagProblem {
  index: number | null;
  message: string;
}

/**
 * Returns the problems of a pipeline's tags: at most 10, each 1 to 128 characters, without duplicates. Tags are
 * compared exactly; emoji names such as `:rocket:` are ordinary text.
 */
export function tagProblems(tags: readonly string[]): TagProblem[] {
  if (tags.length > limits.tagsPerPipeline) {
    return [{ index: null, message: `has more than ${limits.tagsPerPipeline} tags` }];
  }
  return tags.flatMap((tag, index): TagProblem[] => {
    if (tag.trim() === '') return [{ index, message: 'is blank' }];
    if ([...tag].length > limits.tagLength)
      return [{ index, message: `is longer than ${limits.tagLength} characters` }];
    return tags.indexOf(tag) < index ? [{ index, message: 'is given twice' }] : [];
  });
}
