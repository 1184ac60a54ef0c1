import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { buildClient } from '../dev/build-client.ts'
import { listPages, type SitePage } from '../dev/site/page.ts'
import { buildSiteMap } from '../dev/site/site-map.ts'
import { ROOT } from '../dev/system/root.ts'
import { DOCUMENTED_URL } from '../edge/documentation/documented-url.ts'
import { makeClip } from './support/clips.ts'
import { makeTestFolder } from './support/folder.ts'
import { openKey } from './support/media.ts'
import { runScript } from './support/run-script.ts'

/** Runs the snippets of the documentation: curl in bash, TypeScript in Node, and the built command line. */
const system = inject('system')
const shared = makeTestFolder()
const pages = new Map(listPages(buildSiteMap()).map((page) => [page.path, page]))

interface Snippet {
  language: string
  title: string
  runnable: boolean
  code: string
}

function listSnippets({ body }: SitePage): Snippet[] {
  const blocks = body.matchAll(/^```(\w+) title="([^"]+)"( runnable)?\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, language = '', title = '', runnable, code = '']) => ({
    language,
    title,
    runnable: runnable !== undefined,
    code: code.replaceAll(DOCUMENTED_URL, system.api_url),
  }))
}

function snippetsOf(path: string): Snippet[] {
  const page = pages.get(path)
  if (page === undefined) throw new Error(`There is no page ${path}.`)
  return listSnippets(page)
}

let bin: string
let modules: string

beforeAll(async () => {
  modules = join(shared, 'node_modules')
  const installed = join(modules, '@media-credits/client')
  mkdirSync(installed, { recursive: true })
  await buildClient(join(installed, 'dist'))
  copyFileSync(join(ROOT, 'client/package.json'), join(installed, 'package.json'))
  bin = join(shared, 'bin')
  mkdirSync(bin)
  symlinkSync(join(installed, 'dist/media.js'), join(bin, 'media'))
  await sharp({ create: { width: 640, height: 480, channels: 3, background: '#4488cc' } })
    .jpeg()
    .toFile(join(shared, 'photo.jpg'))
  await makeClip(shared, { name: 'clip.mp4', seconds: 2 })
})

/** Makes a folder with the files that the snippets name, and the environment of a reader with a key. */
async function openFolder() {
  const cwd = mkdtempSync(join(shared, 'run-'))
  for (const name of ['photo.jpg', 'clip.mp4']) copyFileSync(join(shared, name), join(cwd, name))
  symlinkSync(modules, join(cwd, 'node_modules'))
  const { apiKey } = await openKey(system)
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  return { cwd, env: { PATH, MEDIA_API_URL: system.api_url, MEDIA_API_KEY: apiKey } }
}

async function runSnippets(snippets: readonly Snippet[], at: Awaited<ReturnType<typeof openFolder>>) {
  const shell = snippets.filter(({ language }) => language === 'sh').map(({ code }) => code)
  const output =
    shell.length > 0 ? await runScript(['bash', '-euo', 'pipefail', '-c', shell.join('\n')], at) : ''
  for (const [index, { code }] of snippets.filter(({ language }) => language === 'ts').entries()) {
    writeFileSync(join(at.cwd, `snippet-${index}.mts`), code)
    await runScript([process.execPath, `snippet-${index}.mts`], at)
  }
  return output
}

describe('the guides', () => {
  const guides = [...pages.values()].filter((page) => listSnippets(page).some(({ runnable }) => runnable))

  test('have snippets that can be run', () => {
    expect(guides.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'index',
        'quick-start',
        'guides/uploads',
        'guides/typescript',
        'guides/command-line',
      ]),
    )
  })

  test.each(guides.map(({ path }) => path))('%s says what works', async (path) => {
    const at = await openFolder()
    await runSnippets(
      snippetsOf(path).filter(({ runnable }) => runnable),
      at,
    )
    if (path === 'quick-start') {
      expect(await sharp(join(at.cwd, 'photo-800.jpg')).metadata()).toMatchObject({ width: 800 })
      // Run the same commands again: the account already exists, and the job is not charged twice.
      await runSnippets(
        snippetsOf(path).filter(({ runnable }) => runnable),
        at,
      )
    }
  })
})

test('the first call says what went wrong', async () => {
  const at = await openFolder()
  const [, call] = snippetsOf('quick-start')
  const wrong = call?.code.replace('"width":800', '"width":8') ?? ''
  const failure = await runScript(['bash', '-c', wrong], at).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringMatching(/^invalid_params: width: .*16/m) })
})

/** All pages of operations come from one template, so these stand for the others. */
describe.each([
  'operations/image/resize',
  'operations/image/edit',
  'operations/image/watermark',
  'operations/video/mute',
  'operations/video/thumbnail',
])('%s', (path) => {
  test.each(['curl', 'TypeScript', 'Command line'])('runs with %s', async (title) => {
    const at = await openFolder()
    const before = readdirSync(at.cwd)
    await runSnippets(
      snippetsOf(path).filter((snippet) => snippet.title === title),
      at,
    )
    if (title === 'TypeScript') expect(readdirSync(at.cwd).length).toBeGreaterThan(before.length + 1)
    if (title === 'Command line') expect(existsSync(join(at.cwd, 'out'))).toBe(true)
  })
})
