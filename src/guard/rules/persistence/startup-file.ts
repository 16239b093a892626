import type { Rule } from '../../rule.ts'

const shell =
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .pam_environment .envrc'
const programs =
  '.gitconfig .config/git .vimrc .config/fish/config.fish .config/fish/functions .config/zsh .config/bash .oh-my-zsh .tmux.conf .screenrc .pythonrc .pythonstartup .irbrc .Rprofile .gdbinit .curlrc .wgetrc .psqlrc .sqliterc'
const packages =
  '.npmrc .yarnrc .yarnrc.yml .bunfig.toml .pip .config/pip .pypirc .condarc .gemrc .bundle/config .cargo/config .cargo/config.toml .m2/settings.xml .gradle/init.gradle .gradle/init.d .gradle/gradle.properties'
const system =
  '/etc/profile /etc/profile.d /etc/bash.bashrc /etc/bashrc /etc/zshrc /etc/zshenv /etc/zsh /etc/environment /etc/gitconfig /etc/npmrc /etc/pip.conf /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d /etc/fish'

const list = (text: string): string[] => text.split(' ')

/** What shells and other programs read before they do anything. */
export const startupFile: Rule = {
  name: 'startup-file',
  category: 'persistence',
  why: 'Programs read it when they start, so it changes what all of them do, long after this work.',
  instead: 'Set what you need in the command itself, or in a file of the project.',
  guarded: ({ home, projects }) =>
    projects.includes(home)
      ? []
      : [
          ...[shell, programs, packages].flatMap(list).map((name) => ({ path: `${home}/${name}` })),
          ...list(system).map((path) => ({ path })),
        ],
}
