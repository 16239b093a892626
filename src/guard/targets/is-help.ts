/** Whether a program is only asked what it can do. `-h` alone: beside other words it often means something else. */
export const isHelp = (args: readonly string[]): boolean =>
  args.includes('--help') ||
  args.includes('--version') ||
  (args.length === 1 && /^(?:-h|-\?|-V|-v|-help|-version|help|version)$/.test(args[0] ?? ''))
