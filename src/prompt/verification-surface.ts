import { fold } from '../model/steering-paths.ts'

/**
 * Whether checks stand on this path: whoever changes it can make them pass without doing the work. Nothing of it is
 * forbidden; its difference is shown to the reviewer before all else. A path too many costs a look, one too few lets a
 * lie pass, so names count at any depth and the lists are generous.
 */
export const isVerificationSurface = (path: string): boolean => isGroundOfTests(path) || isTestFile(path)

/** The same without the tests themselves: what starts, configures or replaces them. */
export function isGroundOfTests(path: string): boolean {
  const { directories, name } = parts(path)
  return (
    surfaceFiles.has(name) ||
    surfacePatterns.some((pattern) => pattern.test(name)) ||
    directories.some((directory) => surfaceDirectories.has(directory)) ||
    (directories.includes('bin') && binstubs.has(name)) ||
    [...directories, name].some((part) => shadowed.has(part.endsWith('.py') ? part.slice(0, -3) : part))
  )
}

/** Whether a path is a test, or something that only tests use. */
export function isTestFile(path: string): boolean {
  const { directories, name, written } = parts(path)
  return (
    testPatterns.some((pattern) => pattern.test(name)) ||
    capitalisedTest.test(written) ||
    directories.some((directory) => testDirectories.has(directory)) ||
    // These are also where people keep specifications.
    (directories.some((directory) => directory === 'spec' || directory === 'specs') && !/\.(?:md|txt|rst)$/.test(name))
  )
}

/** Whether agents take a path as instructions by themselves: CLAUDE.md and its like, in any directory. */
export function isInstructionFile(path: string): boolean {
  const { directories, name } = parts(path)
  const folder = `/${directories.join('/')}/`
  return instructionFiles.has(name) || instructionDirectories.some((directory) => folder.includes(directory))
}

/** No system has longer paths than this; what an agent makes up beyond it is not worth reading. */
const longestPath = 4096

/** In the letters that all disks agree on, and the name once more as it is written. */
function parts(path: string) {
  const end = path.slice(-longestPath)
  const directories = fold(end).split('/')
  const name = directories.pop() ?? ''
  return { directories, name, written: end.slice(end.lastIndexOf('/') + 1) }
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const wordSet = (text: string): ReadonlySet<string> => new Set(words(text))

const surfaceFiles = wordSet(`
  package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb
  bunfig.toml deno.json deno.jsonc deno.lock .npmrc .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs .node-version .nvmrc
  lerna.json nx.json project.json turbo.json rush.json biome.json biome.jsonc jsconfig.json .taprc
  lefthook.yml lefthook.yaml .pre-commit-config.yaml

  conftest.py pytest.ini .pytest.ini tox.ini setup.cfg setup.py pyproject.toml sitecustomize.py usercustomize.py
  noxfile.py .coveragerc mypy.ini .mypy.ini ruff.toml .ruff.toml .flake8 .pylintrc pylintrc pyrightconfig.json
  pipfile pipfile.lock poetry.lock uv.lock pdm.lock pixi.toml environment.yml environment.yaml

  cmakelists.txt cmakepresets.json meson.build sconstruct wscript justfile .justfile taskfile.yml taskfile.yaml
  rakefile .rspec spec_helper.rb rails_helper.rb gemfile gemfile.lock .rubocop.yml
  composer.json composer.lock phpunit.xml phpunit.xml.dist phpstan.neon phpstan.neon.dist psalm.xml
  mix.exs mix.lock .formatter.exs .credo.exs rebar.config
  gradle.properties gradlew gradlew.bat libs.versions.toml pom.xml mvnw mvnw.cmd build.xml build.sc
  workspace workspace.bazel build build.bazel module.bazel .bazelrc buck .buckconfig pants.toml earthfile vagrantfile
  package.swift package.resolved global.json nuget.config stack.yaml cabal.project package.yaml dune dune-project
  build.zig build.zig.zon deps.edn project.clj bb.edn shadow-cljs.edn flake.lock
  analysis_options.yaml pubspec.yaml pubspec.lock

  cargo.toml cargo.lock build.rs clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml rust-toolchain rust-toolchain.toml
  nextest.toml deny.toml go.mod go.sum go.work go.work.sum magefile.go

  .gitattributes .gitignore .gitmodules .dockerignore .npmignore .ignore .gitlab-ci.yml .travis.yml azure-pipelines.yml
  jenkinsfile bitbucket-pipelines.yml .drone.yml appveyor.yml .appveyor.yml .cirrus.yml codecov.yml .codecov.yml
  .envrc .tool-versions mise.toml .mise.toml devbox.json
`)

const surfacePatterns: readonly RegExp[] = [
  /\.config\.(?:[cm]?[jt]sx?|jsonc?)$/,
  /\.conf\.[cm]?[jt]s$/,
  /^(?:vite|vitest|jest|playwright|cypress|karma|wdio|ava|babel|mocha)\./,
  /^\.(?:yarnrc|babelrc|swcrc|eslintrc|eslintignore|oxlintrc|oxfmtrc|stylelintrc|stylelintignore|prettierrc|prettierignore)(?:\.|$)/,
  /^\.(?:mocharc|nycrc|c8rc|lintstagedrc|huskyrc|golangci|env)(?:\.|$)/,
  /^tsconfig.*\.json$/,
  /^(?:jest|vitest|playwright|cypress|mocha|karma|tests?|globals?)[-_.]?(?:setup|teardown|env|reporter)/,
  /^(?:setup|teardown)(?:[-_.]?(?:tests?|jest|vitest|env|files?|globals?|after\w*))?\.[cm]?[jt]sx?$/,
  /^(?:requirements|constraints).*\.(?:txt|in)$/,
  /^(?:gnu|bsd)?makefile(?:\.|$)/,
  /\.(?:mk|mak|cmake|gradle|gradle\.kts|sbt|bzl|pth|csproj|fsproj|vbproj|sln|slnx|runsettings|props|targets|cabal|nix)$/,
  /\.(?:sh|bash|zsh|fish|ps1|psm1|bat|cmd)$/,
  /^(?:docker-)?compose.*\.ya?ml$/,
  /^(?:docker|container)file|\.dockerfile$/,
]

/** With all that is in them: continuous integration, git's hooks, programs and packages that a check finds first. */
const surfaceDirectories = wordSet(`
  .github .gitlab .circleci .buildkite .ci ci .husky .githooks .git-hooks .cargo .yarn .mvn .config .devcontainer
  .storybook node_modules .bin .venv venv site-packages vendor scripts script
`)

const binstubs = wordSet(`
  test tests check checks lint ci verify setup jest vitest mocha pytest tox phpunit rspec rake rails rubocop
`)

/** A package of the project's own with such a name is found before the tool. */
const shadowed = wordSet('pytest _pytest pluggy unittest nose tox xdist hypothesis doctest')

const testDirectories = wordSet(`
  test tests __tests__ __mocks__ __snapshots__ __fixtures__ fixtures testdata test-data test_data testing unittests
  integration-tests androidtest e2e cypress playwright
`)

const testPatterns: readonly RegExp[] = [
  /[._-](?:tests?|specs?|unittest|e2e|cy|snap)\.[a-z0-9]+$/,
  /^tests?(?:[._-]|$)/,
  /\.(?:snap|snapshot|bats|feature|t)$/,
]

/** `OrderTest.java`, `OrderTests.cs`, `OrderSpec.scala`, `OrderIT.java`; not `Latest.java`, so the case counts. */
const capitalisedTest = /[a-z0-9_](?:Tests?|Specs?|TestCase|IT)\.[A-Za-z]+$/

const instructionFiles = wordSet(`
  claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md crush.md warp.md opencode.md
  conventions.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints
`)

const instructionDirectories = words(`
  /.claude/rules/ /.cursor/rules/ /.windsurf/rules/ /.clinerules/ /.roo/ /.agents/ /.agent/rules/
  /.github/instructions/ /.github/prompts/ /.junie/ /.kiro/steering/ /.amazonq/rules/
`)
