import { describe, expect, it } from 'vitest'
import { isInstructionFile, isTestFile, isVerificationSurface } from '../../../src/prompt/verification-surface.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

describe('the verification surface', () => {
  // Attacks 91 to 97: each must at least be named to the reviewer.
  it.each([
    ['91 npmrc-script-shell', '.npmrc'],
    ['92 npmrc-node-options', 'packages/a/.npmrc'],
    ['93 bin-shim', 'node_modules/.bin/vitest'],
    ['94 gnumakefile', 'GNUmakefile'],
    ['95 conftest-os-exit', 'conftest.py'],
    ['96 pytest-collect-only', 'pytest.ini'],
    ['97 tests-deleted-count-drop', 'src/sum.test.ts'],
    ['a package that is found before the tool', 'pytest/__init__.py'],
    ['the same as one file', 'unittest.py'],
  ])('has %s', (_, path) => {
    expect(isVerificationSurface(path)).toBe(true)
  })

  it.each(
    words(`
      package.json web/package.json package-lock.json yarn.lock pnpm-lock.yaml bun.lockb .yarnrc .yarnrc.yml .yarn/releases/yarn.cjs
      vitest.config.ts vitest.workspace.ts vite.config.mts jest.config.js jest.setup.js playwright.config.ts babel.config.js
      .babelrc .babelrc.json .mocharc.cjs karma.conf.js tsconfig.json tsconfig.build.json eslint.config.mjs .eslintrc
      .eslintrc.cjs .prettierrc.yaml biome.json setupTests.ts test-setup.ts globalSetup.ts setup-jest.js setup.ts
      tests/conftest.py tox.ini setup.cfg pyproject.toml sitecustomize.py lib/usercustomize.py requirements-dev.txt
      evil.pth Makefile makefile Makefile.am rules.mk build/rules.cmake CMakeLists.txt justfile Rakefile .rspec
      .cargo/config.toml .cargo/config build.rs crates/a/build.rs Cargo.toml go.mod go.work vendor/modules.txt
      .github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile .gitattributes sub/.gitignore .gitmodules
      .husky/pre-commit .env .env.test .envrc run.sh scripts/check.mjs ci/steps.py bin/test bin/rspec pom.xml
      build.gradle.kts gradle/libs.versions.toml App.csproj Directory.Build.props phpunit.xml.dist mix.exs
      Dockerfile docker-compose.test.yml compose.yaml .config/nextest.toml .venv/lib/x.py
    `),
  )('has %s', (path) => {
    expect(isVerificationSurface(path)).toBe(true)
  })

  it.each(
    words(`
      src/sum.ts README.md docs/testing.md src/latest.ts src/Latest.java lib/config.ts src/config/index.ts app/models/user.rb
      src/components/SetupWizard.tsx index.html src/main.rs cmd/server/main.go assets/logo.png bin/cli.js src/binary.c
      src/makefiles.md src/package.ts src/protest.js contest.py src/inspector.js docs/specs/design.md src/attest_list.py
      ralph/tasks.json ralph/progress.txt CLAUDE.md src/environment.ts styles/compose.css
    `),
  )('does not have %s', (path) => {
    expect(isVerificationSurface(path)).toBe(false)
  })

  it.each(['MAKEFILE', 'Package.JSON', '.GitHub/workflows/x.yml', 'Node_Modules/.bin/x'])(
    'has %s, which is the same file on half of the disks',
    (path) => {
      expect(isVerificationSurface(path)).toBe(true)
    },
  )

  it.each(['/', 'a.', '-test', '.config', 'tsconfig', 'requirements', 'setup.after'])(
    'is decided at once for a path of 1 MB of %s',
    (unit) => {
      const path = unit.repeat(1_000_000 / unit.length)
      const start = performance.now()
      isVerificationSurface(path)
      isTestFile(path)
      isInstructionFile(path)
      expect(performance.now() - start).toBeLessThan(2000)
    },
  )
})

describe('test files', () => {
  it.each(
    words(`
      src/sum.test.ts src/sum.spec.tsx src/sum_test.go pkg/sum_test.py test_sum.py tests.py test/support/x.ts tests/data.json
      src/__tests__/sum.js src/__mocks__/fs.js src/__snapshots__/a.snap e2e/login.ts cypress/a.cy.js src/test/java/A.java
      SumTest.java SumTests.cs SumSpec.scala SumIT.java sum_spec.rb spec/models/user.rb sum-test.js features/login.feature
      checks.bats t/basic.t testdata/golden.txt src/fixtures/a.json Sum.Test.ts
    `),
  )('are %s', (path) => {
    expect(isTestFile(path)).toBe(true)
  })

  it.each(
    words(`
      src/sum.ts src/latest.ts Latest.java Contest.kt docs/spec.md specs/plan.md src/attestation.go src/respect.js
      package.json conftest.md UNIT.md src/protest.py EDIT.java
    `),
  )('are not %s', (path) => {
    expect(isTestFile(path)).toBe(false)
  })
})

describe('instructions to agents', () => {
  it.each(
    words(`
      CLAUDE.md packages/a/CLAUDE.md claude.md CLAUDE.local.md AGENTS.md sub/AGENTS.md GEMINI.md .claude/rules/style.md
      web/.claude/rules/a/b.md .cursorrules .cursor/rules/x.mdc .github/copilot-instructions.md .windsurfrules
    `),
  )('are %s', (path) => {
    expect(isInstructionFile(path)).toBe(true)
  })

  it.each(words('README.md .claude/settings.json docs/agents.txt src/claude.ts xclaude.md .claude/rules'))(
    'are not %s',
    (path) => {
      expect(isInstructionFile(path)).toBe(false)
    },
  )
})
