/**
 * Whether a pathspec means here what it means to git. What would silently protect nothing is refused: attributes and
 * absolute paths, which only git can look up, and what git does not know either.
 */
export const isPathspec = (text: string): boolean =>
  !text.startsWith('/') && (!text.startsWith(':') || magic.test(text))

const magic = /^:(?:\((?:(?:top|exclude|literal|glob|icase)?(?:,|(?=\))))*\)|[/!^]*(?![/!^("#%&',\-;<=>@_`~]))/
