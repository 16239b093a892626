import { namesIn } from './name-patterns.ts'

/** Variables through which something around the runner would reach into what it starts. Neither agents nor checks get them. */
export const influenceNames: readonly string[] = [
  // Code that a shell runs before the command it was given.
  ...namesIn('BASH_ENV ENV SHELLOPTS BASHOPTS BASH_FUNC_*'),
  // Of the make or npm that started us: job servers that are not there, options for other commands.
  ...namesIn('MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKELEVEL MAKEFILES MAKEOVERRIDES MAKE_TERMOUT MAKE_TERMERR INIT_CWD'),
  ...namesIn('NPM_LIFECYCLE_* NPM_PACKAGE_* NPM_EXECPATH NPM_NODE_EXECPATH NPM_COMMAND NPM_CONFIG_LOCAL_PREFIX'),
  ...namesIn('NPM_CONFIG_SCRIPT_SHELL NPM_CONFIG_NODE_OPTIONS NPM_CONFIG_IF_PRESENT NPM_CONFIG_IGNORE_SCRIPTS'),
  ...namesIn('NPM_CONFIG_DRY_RUN NPM_CONFIG_WORKSPACE* NPM_CONFIG_INCLUDE_WORKSPACE_ROOT'),
  // Of the git whose hook or alias started us: another repository, another index.
  'GIT_*',
  // With it `node --test` runs nothing and says that all is well.
  'NODE_TEST_CONTEXT',
  // Of the Claude Code session that started us: a second one refuses to start inside it, or takes itself for it.
  ...namesIn('CLAUDECODE CLAUDE_CODE_SESSION_* CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT'),
  ...namesIn('CLAUDE_PID CLAUDE_PROJECT_DIR CLAUDE_ENV_FILE CLAUDE_PLUGIN_ROOT CLAUDE_PLUGIN_DATA'),
  // Files through which a step of a CI job speaks to the next.
  ...namesIn('GITHUB_ENV GITHUB_PATH GITHUB_OUTPUT GITHUB_STATE GITHUB_STEP_SUMMARY'),
  // The child is in another directory.
  ...namesIn('PWD OLDPWD'),
]

/** Of `GIT_*`: who the user is, where their own configuration is, how they reach their hosts. */
export const keptGitNames: readonly string[] = [
  ...namesIn('GIT_AUTHOR_* GIT_COMMITTER_* GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM'),
  ...namesIn('GIT_SSH GIT_SSH_COMMAND GIT_SSH_VARIANT GIT_SSL_* GIT_LFS_* GIT_TERMINAL_PROMPT'),
]

/** What an agent may need and would make a check another command than the one that stands in the list. */
export const checkInfluenceNames: readonly string[] = [
  ...namesIn('NODE_OPTIONS PYTEST_ADDOPTS PYTEST_PLUGINS PYTHONOPTIMIZE PERL5OPT RUBYOPT CDPATH GREP_OPTIONS'),
  ...namesIn('LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES'),
  // Colours in a log that goes into prompts.
  ...namesIn('FORCE_COLOR CLICOLOR_FORCE'),
]
