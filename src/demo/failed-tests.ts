/**
 * The names of the tests that failed, from what `node --test` printed: it ends with figures, and who shows only the end of
 * an output would show nothing else. Whatever is no such output stays as it is.
 */
export function failedTests(output: string): string {
  const names = output.split('\n').flatMap((line) => {
    // TAP before node 23, a list with marks since then; there each name stands twice, with the time it took.
    const [, name] = /^(?:not ok \d+ - |✖ )(.+?)(?: \([\d.]+ms\))?$/.exec(line) ?? []
    return name === undefined || name === 'failing tests:' ? [] : [`failed: ${name}`]
  })
  return names.length === 0 ? output : [...new Set(names)].join('\n')
}
