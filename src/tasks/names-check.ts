/** Whether a criterion only asks for a check to pass: short, and by right in every story. */
export const namesCheck = (criterion: string): boolean =>
  /\b(?:pass(?:es)?|typechecks?|lints?|compiles?|builds?)\b/i.test(criterion.slice(0, 500))
