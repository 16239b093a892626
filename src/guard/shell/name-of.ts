/** The name of the program that a word stands for: without a directory, in small letters; in zsh `=rm` is where `rm` is. */
export const nameOf = (word: string): string =>
  word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/^=(?=.)/, '')
    .toLowerCase()
