import fc from 'fast-check'

/** Any character, half ones too. Made by hand: the tables of fast-check's own take a second to build. */
const character = fc.oneof(
  fc.integer({ min: 0, max: 0x10_ff_ff }),
  fc.integer({ min: 0, max: 0xff }),
  fc.constantFrom(0x202e, 0x200b, 0x2028, 0xfeff, 0xe0041, 0xfe0f, 0x6f22, 0x1f600, 0x301, 0x20, 0x20, 0x23, 0x5b),
)

/** What attacks 101 and 102 are made of. */
const attacks = [
  '\u{1b}]52;c;cm0gLXJmIC8=\u{7}',
  '\u{1b}]0;title\u{1b}\\',
  '\u{1b}[2J\u{1b}[H',
  '\u{1b}[K',
  '\u{1b}[?25l',
  '\u{9b}31m',
  '\u{9d}52;c;eA==\u{9c}',
  '\u{90}+q\u{9c}',
  '\u{1b}P1$r\u{1b}\\',
  'approved\r\u{1b}[Krejected',
  'rejected\b\b\b\b\b\b\b\bapproved',
  '\u{202e}devorppa',
  'a\u{2066}b\u{2069}',
  '::set-output name=x::y',
  '  ::stop-commands::token',
  '\n::add-mask::x',
  '\r\n::error::forged',
  '\u{2028}::debug::x',
  '\u{b}::x::\u{c}::x::',
  '##[add-mask]x',
  'text ##[set-output name=a]b',
  '##vso[task.setvariable variable=a]b',
  '##teamcity[buildProblem]',
  '\ud800',
] as const

/** Text as hostile as an agent can make it. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.array(character, { maxLength: 40 }).map((codes) => String.fromCodePoint(...codes)),
  fc.constantFrom(...attacks),
  fc
    .array(fc.constantFrom(...attacks, 'word', ' ', '漢字漢字漢字漢字漢字漢字', 'long'.repeat(60)), { maxLength: 6 })
    .map((parts) => parts.join('')),
)

/** The same in every check; `RALPH_SEED=… RALPH_RUNS=100000` looks further. */
export const seeded = (numRuns: number) => ({
  numRuns: Number(process.env['RALPH_RUNS'] ?? numRuns),
  seed: Number(process.env['RALPH_SEED'] ?? 20_261_116),
})
