/** Whether this is still the template: nobody has written a story yet. */
export function isUntouched(list: { readonly userStories: readonly unknown[] }): boolean {
  return list.userStories.every((item) => (item as { title?: unknown } | null)?.title === '')
}
