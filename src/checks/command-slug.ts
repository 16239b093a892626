const maxLength = 50

/** A command as part of a file name: `./mvnw clean install -T 2C` → `mvnw_clean_install_T_2C`. Agents write commands too. */
export function commandSlug(command: string): string {
  const words = command.slice(0, 20 * maxLength).match(/[A-Za-z0-9]+/g) ?? []
  return words.join('_').slice(0, maxLength).replace(/_$/, '') || 'check'
}
