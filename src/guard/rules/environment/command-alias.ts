import type { Rule } from '../../rule.ts'

export const commandAlias: Rule = {
  name: 'command-alias',
  category: 'environment',
  why: 'Later commands would not do what they say.',
  instead: 'Write the command that you mean.',
  programs: 'alias hash enable',
  forbids({ name, args }) {
    if (name === 'alias') {
      const hidden = args
        .map((arg) => /^([\w.-]+)=([^]*)$/.exec(arg) ?? [])
        .find(([, word = '', value = '']) => common.has(word) && !isItself(word, value))?.[1]
      if (hidden !== undefined) return `would make ${hidden} mean something else`
    }
    if (name === 'hash' && args.includes('-p')) return 'would make a command mean another file'
    return name === 'enable' && args.some((arg) => /^-[a-z]*f/.test(arg))
      ? 'would load commands from a file into the shell'
      : null
  },
}

/** The same command with options: `alias ls='ls --color'`. */
const isItself = (word: string, value: string): boolean =>
  value.trim().split(/\s/)[0] === word && !/[;&|`$<>\n]/.test(value)

const common = new Set(
  'sudo su doas ssh scp git rm mv cp chmod chown cat cd ls ps kill env bash sh zsh curl wget npm npx node python python3 pip pip3 docker kubectl make passwd login gpg which type command echo test true false find grep sed awk tee apt brew systemctl crontab id whoami'.split(
    ' ',
  ),
)
