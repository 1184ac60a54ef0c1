/** @module-tag extended */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { AwsClient } from 'aws4fetch'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Media } from '../../client/node/index.ts'
import { buildClient } from '../../dev/build-client.ts'
import { listPages, type SitePage } from '../../dev/site/page.ts'
import { buildSiteMap } from '../../dev/site/site-map.ts'
import { ROOT } from '../../dev/system/root.ts'
import { BUCKET, storageUrl } from '../../dev/system/wrangler-config.ts'
import { DOCUMENTED_URL } from '../../edge/documentation/documented-url.ts'
import { startVideoSite, type VideoSite } from '../../media-backend/testing/video-site.ts'
import { openAccount } from '../support/accounts.ts'
import { makeClip } from '../support/clips.ts'
import { createKey, execute } from '../support/credentials.ts'
import { fillBalanceTo } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { useOwnSystem } from '../support/own-system.ts'
import { runScript } from '../support/run-script.ts'

/**
 * Runs the snippets of the documentation: curl in bash, TypeScript in Node, and the built command line. Buckets, links
 * and receivers of webhooks that they name are on this machine, which only a system of their own allows.
 */
const system = useOwnSystem(async () => ({
  fleet: { ALLOW_PRIVATE_SOURCES: 'true', MEDIA_FETCH_ENABLED: 'true' },
  edge: { ALLOW_PRIVATE_SOURCES: 'true' },
}))
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
    code,
  }))
}

/** Puts the addresses and secrets of the local system into a snippet. */
function localize(code: string): string {
  const { api_url, ports, secrets } = system()
  const values = {
    [DOCUMENTED_URL]: api_url,
    'https://example.org/watch?v=1': `${site.url}/page`,
    'https://hooks.example.org/media': receiver.url,
    'https://s3.example.org': storageUrl(ports),
    '"eu-1"': '"auto"',
    '"bucket": "media"': `"bucket": "${BUCKET}"`,
    '"access_key_id": "…"': `"access_key_id": "${secrets.s3_access_key_id}"`,
    '"secret_access_key": "…"': `"secret_access_key": "${secrets.s3_secret_access_key}"`,
  }
  return Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), code)
}

function snippetsOf(path: string): Snippet[] {
  const page = pages.get(path)
  if (page === undefined) throw new Error(`There is no page ${path}.`)
  return listSnippets(page)
}

let bin: string
let modules: string
let site: VideoSite
let receiver: Receiver

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
  // An administrator enables downloads, which are switched off by default.
  const enable = "UPDATE operations SET enabled = 1 WHERE operation_key = 'download_video'"
  await execute(databaseUrl(), enable, [])
  const clip = readFileSync(await makeClip(shared, { name: 'clip.mp4', seconds: 2 }))
  const image = readFileSync(join(shared, 'photo.jpg'))
  site = await startVideoSite({ '/clip.mp4': clip, '/image.jpg': image })
  receiver = await startReceiver()
})
afterAll(() => Promise.all([site.close(), receiver.close()]))

const databaseUrl = () => `http://127.0.0.1:${system().ports.database}`

/** Server of a customer that accepts every event. */
interface Receiver {
  url: string
  types: string[]
  close(): Promise<void>
}

async function startReceiver(): Promise<Receiver> {
  const types: string[] = []
  const server = createServer(async (request, response) => {
    const event = (await json(request)) as { type: string }
    types.push(event.type)
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/media`,
    types,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Makes a folder with the files that the snippets name, and the environment of a reader with a key. */
async function openFolder() {
  const cwd = mkdtempSync(join(shared, 'run-'))
  for (const name of ['photo.jpg', 'clip.mp4']) copyFileSync(join(shared, name), join(cwd, name))
  symlinkSync(modules, join(cwd, 'node_modules'))
  const { api_url } = system()
  const account = await openAccount(api_url)
  await fillBalanceTo(databaseUrl(), account.id, 1000)
  const { plaintext: apiKey } = await createKey(account)
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = {
    PATH,
    MEDIA_API_URL: api_url,
    MEDIA_API_KEY: apiKey,
    SESSION_TOKEN: account.client.token ?? '',
  }
  return { cwd, env, media: new Media({ apiUrl: api_url, apiKey }) }
}

async function runSnippets(snippets: readonly Snippet[], at: Awaited<ReturnType<typeof openFolder>>) {
  const shell = snippets.filter(({ language }) => language === 'sh').map(({ code }) => localize(code))
  const output =
    shell.length > 0 ? await runScript(['bash', '-euo', 'pipefail', '-c', shell.join('\n')], at) : ''
  for (const [index, { code }] of snippets.filter(({ language }) => language === 'ts').entries()) {
    writeFileSync(join(at.cwd, `snippet-${index}.mts`), localize(code))
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
        'guides/storage',
        'guides/webhooks',
        'guides/browsers',
      ]),
    )
  })

  test.each(guides.map(({ path }) => path))('%s says what works', async (path) => {
    const at = await openFolder()
    if (path === 'guides/storage') await putIntoBucket('videos/a.mp4', join(at.cwd, 'clip.mp4'))
    await runSnippets(
      snippetsOf(path).filter(({ runnable }) => runnable),
      at,
    )
    if (path === 'guides/storage') {
      const [job] = await at.media.jobs.list()
      expect(await at.media.jobs.wait(job?.id ?? '')).toMatchObject({
        status: 'done',
        result: { exported_to: expect.stringMatching(/^storage:\/\/media\/small\/a.*\.mp4$/) },
      })
    }
    if (path === 'guides/webhooks') expect(receiver.types).toContain('test')
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
  const wrong = localize(call?.code ?? '').replace('"width":800', '"width":8')
  const failure = await runScript(['bash', '-c', wrong], at).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringMatching(/^invalid_params: width: .*16/m) })
})

/** Puts a file into the bucket of a customer, which is that of the local system. */
async function putIntoBucket(key: string, path: string): Promise<void> {
  const { ports, secrets } = system()
  const client = new AwsClient({
    accessKeyId: secrets.s3_access_key_id,
    secretAccessKey: secrets.s3_secret_access_key,
    service: 's3',
    region: 'auto',
  })
  const response = await client.fetch(`${storageUrl(ports)}/${BUCKET}/${key}`, {
    method: 'PUT',
    headers: { 'content-type': 'video/mp4' },
    body: readFileSync(path),
  })
  expect(response.status).toBe(200)
}

/** All pages of operations come from one template, so these stand for the others. */
describe.each([
  'operations/image/resize',
  'operations/image/edit',
  'operations/image/watermark',
  'operations/video/mute',
  'operations/video/thumbnail',
  'operations/video/link_info',
  'operations/video/download_video',
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
