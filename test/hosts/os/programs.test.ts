import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { os } from '../../../src/isolation/os.ts'
import { LoopProject } from '../../support/loop-project.ts'
import { failure, value } from '../../support/repositories.ts'
import { newBoxSite, type BoxSite } from '../../support/box-site.ts'
import { newOsPlace, pathWithSrt, runInBox } from './lab.ts'

const srt = inject('srt')
const packageOf = (cli: string): string => dirname(dirname(cli))

describe.skipIf(srt === null)('the programs of the OS sandbox', () => {
  let place: BoxSite
  beforeEach(() => {
    place = newOsPlace()
  })
  afterEach(() => place.remove())

  // Test 90: srt-from-project-node-modules.
  it('are not taken from the project: neither sandbox-runtime itself nor its start script', async () => {
    place.remove()
    place = newBoxSite()
    const { project } = place.site
    const modules = join(project, 'node_modules')
    mkdirSync(join(modules, '@anthropic-ai'), { recursive: true })
    mkdirSync(join(modules, '.bin'))
    symlinkSync(packageOf(srt ?? ''), join(modules, '@anthropic-ai', 'sandbox-runtime'))
    symlinkSync(srt ?? '', join(modules, '.bin', 'srt'))
    const scripts = join(project, 'scripts')
    const path = `${join(modules, '.bin')}:${place.site.places.path}`
    for (const site of [place.site, { ...place.site, scripts }]) {
      const probed = await os.probe({ ...site, places: { path, forbiddenRoot: project } })
      expect(failure(probed)).toMatchObject({
        why: '@anthropic-ai/sandbox-runtime is not installed outside of the project.',
        fix: expect.stringContaining('npm install -g @anthropic-ai/sandbox-runtime@0.0.78') as string,
      })
    }
  })

  it('are found beside the installation of Ralph, too', async () => {
    const installation = join(place.root, 'installation')
    mkdirSync(join(installation, 'node_modules', '@anthropic-ai'), { recursive: true })
    symlinkSync(packageOf(srt ?? ''), join(installation, 'node_modules', '@anthropic-ai', 'sandbox-runtime'))
    symlinkSync(place.site.scripts, join(installation, 'scripts'))
    const places = { path: process.env['PATH'] ?? '', forbiddenRoot: place.site.project }
    const probed = await os.probe({ ...place.site, scripts: join(installation, 'scripts'), places })
    expect(value(probed).description).toContain('sandbox-runtime 0.0.78')
  })

  // Test 89: path-shim-node-modules-bin-git.
  it('are not those that the project puts in front of PATH, as `npm run` does', async () => {
    const { project, places } = place.site
    const bin = join(project, 'node_modules', '.bin')
    const canary = join(place.outside, 'canary')
    mkdirSync(bin, { recursive: true })
    for (const name of 'srt bwrap socat rg bash sh env mount setpriv unshare node git'.split(' ')) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> '${canary}'\n`)
      chmodSync(join(bin, name), 0o755)
    }
    const path = `${bin}:${places.path}`
    const shimmed = { ...place, site: { ...place.site, places: { ...places, path } } }
    const { lines } = await runInBox(shimmed, { user: 'root', script: 'echo inside' })
    expect(lines).toEqual(['inside'])
    expect(existsSync(canary) ? readFileSync(canary, 'utf8') : '').toBe('')
  })

  it.each([
    ['bwrap', 'apt install bubblewrap '],
    ['socat', 'apt install socat '],
    ['rg', 'apt install ripgrep '],
  ])('are named with what installs them: %s', async (missing, fix) => {
    const bin = join(place.root, 'some')
    mkdirSync(bin)
    for (const name of 'bwrap socat rg bash env mount setpriv unshare'.split(' ').filter((one) => one !== missing)) {
      symlinkSync(`/usr/bin/${name}`, join(bin, name))
    }
    symlinkSync(srt ?? '', join(bin, 'srt'))
    const probed = await os.probe({ ...place.site, places: { path: bin, forbiddenRoot: place.site.project } })
    expect(failure(probed)).toEqual({
      why: `${missing} is not on PATH outside of the project.`,
      fix: expect.stringContaining(fix) as string,
    })
  })

  it('say why a trial does not run', async () => {
    const bin = join(place.root, 'broken')
    mkdirSync(bin)
    writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n')
    chmodSync(join(bin, 'bwrap'), 0o755)
    const path = `${bin}:${place.site.places.path}`
    const probed = await os.probe({ ...place.site, places: { path, forbiddenRoot: place.site.project } })
    expect(failure(probed).why).toContain('No permissions to create new namespace')
  })
})

describe.skipIf(srt === null)('checks in the OS sandbox', () => {
  it('run what the agent wrote into package.json, in the box', async () => {
    const lab = new LoopProject({
      stories: 1,
      verifyCommands: ['npm test'],
      files: { 'package.json': '{"scripts":{"test":"node test.js"}}\n', 'test.js': '' },
    })
    try {
      const directory = join(lab.root, 'srt')
      mkdirSync(directory)
      lab.env['PATH'] = `${pathWithSrt(directory)}:${lab.env['PATH'] ?? ''}`
      const canary = join(lab.root, 'canary')
      const write = `require('fs').writeFileSync(${JSON.stringify(canary)}, 'out')`
      const script = `try { ${write} } catch (error) { console.log(process.env.RALPH_ISOLATION, error.code) }`
      lab.play(`if (stage.mode !== 'review') stage.write('test.js', ${JSON.stringify(script)})\nawait stage.honest()`)
      const { exitCode, events } = await lab.run(['--isolation', 'os'])
      expect(exitCode).toBe(0)
      const logs = events.flatMap((event) => (event.kind === 'check.finished' ? [readFileSync(event.log, 'utf8')] : []))
      expect(logs.length).toBeGreaterThan(0)
      for (const log of logs) expect(log).toContain('os EROFS')
      expect(existsSync(canary)).toBe(false)
    } finally {
      lab.remove()
    }
  })
})

// Test 86: box-config-dir-settings-json.
describe.skipIf(srt === null)('the home of an agent in the OS sandbox', () => {
  it('is new for each start, and what is planted in it reaches nobody', async () => {
    const lab = new LoopProject({ stories: 1 })
    try {
      const directory = join(lab.root, 'srt')
      mkdirSync(directory)
      lab.env['PATH'] = `${pathWithSrt(directory)}:${lab.env['PATH'] ?? ''}`
      const own = join(lab.home, '.claude')
      mkdirSync(own)
      for (const name of ['settings.json', '.credentials.json']) writeFileSync(join(own, name), '{}')
      lab.play(`
        const home = process.env.CLAUDE_CONFIG_DIR
        stage.append('ralph/progress.txt', stage.mode + ' ' + stage.sh('ls -A "' + home + '"').trim() + ' ' + (home === ${JSON.stringify(own)}) + '\\n')
        stage.write(home + '/settings.json', '{"hooks":{}}')
        for (const name of ['settings.json', '.credentials.json']) {
          try { stage.write(${JSON.stringify(own)} + '/' + name, 'planted') } catch {}
        }
        try { stage.write(home + '/.credentials.json', 'planted') } catch {}
        await stage.honest()`)
      const { exitCode } = await lab.run(['--isolation', 'os'])
      expect(exitCode).toBe(0)
      expect(lab.read('ralph/progress.txt')).toContain(
        'implement .credentials.json false\nreview .credentials.json false\n',
      )
      for (const name of ['settings.json', '.credentials.json'])
        expect(readFileSync(join(own, name), 'utf8')).toBe('{}')
    } finally {
      lab.remove()
    }
  })
})
