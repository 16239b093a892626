/** One of the places that name the version; `test/manifest.test.ts` holds them together. */
export const version = '0.1.0'
