import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseEnvironment } from '../environment.ts'
import type { Run } from '../runtime/run.ts'
import { startVideoSite, type VideoSite } from '../testing/video-site.ts'
import { type LinkProxy, startProxy } from './proxy.ts'
import { infoArguments, runYtDlp } from './yt-dlp.ts'

let site: VideoSite
let run: Run
/** Treats the loopback site as if it were public. */
let proxy: LinkProxy

beforeAll(async () => {
  site = await startVideoSite({ '/clip.mp4': Buffer.alloc(5000) })
  const addresses = { EDGE_URL: site.url, FLEET_KEYS: 'YWFh', S3_ENDPOINT: site.url }
  const environment = parseEnvironment({ ...addresses, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' })
  const folder = await mkdtemp(join(tmpdir(), 'fleet-link-'))
  run = { folder, environment, signal: AbortSignal.timeout(120_000) }
  proxy = await startProxy({ allow_private: false, bytes_max: 1e6, exception: new URL(site.url).host })
})
afterAll(async () => {
  await Promise.all([proxy.close(), site.close()])
  await rm(run.folder, { recursive: true })
})

/** Opens a tunnel through the proxy and returns the status. */
function openTunnel(target: string, through = proxy): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: through.port, method: 'CONNECT', path: target })
    outgoing.on('connect', (answer, socket) => {
      socket.destroy()
      resolve(answer.statusCode ?? 0)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Requests a page through the proxy and returns the status. */
function askPage(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: proxy.port, path: url }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

const ask = (path: string) => runYtDlp(infoArguments(path, 0), run, proxy)

test('allows public hosts', async () => {
  expect((await ask(`${site.url}/clip.mp4`)).code).toBe(0)
  expect(await openTunnel(new URL(site.url).host)).toBe(200)
})

test.each([
  ['/to-loopback', '127.0.0.1'],
  ['/to-metadata', '169.254.169.254'],
])('blocks a redirect of a public site at the proxy: %s', async (path, host) => {
  proxy.refused.clear()
  expect((await ask(site.url + path)).code).not.toBe(0)
  expect([...proxy.refused]).toEqual([host])
  expect(site.trap.visits).toBe(0)
})

test.each(['__noproxy__', 'TRAP'])(
  'ignores options smuggled into a URL to bypass the proxy: %s',
  async (spec) => {
    const trap = `http://127.0.0.1:${site.trap.port}`
    const headers = { 'Ytdl-request-proxy': spec.replace('TRAP', trap) }
    const notes = encodeURIComponent(JSON.stringify({ http_headers: headers }))
    const result = await ask(`${trap}/clip.mp4#__youtubedl_smuggle=${notes}`)
    expect(result.code).not.toBe(0)
    expect(site.trap.visits).toBe(0)
  },
)

test.each([
  ...['127.0.0.1:TRAP', '0x7f.1:TRAP', '[::1]:TRAP', 'localhost:TRAP'],
  ...['169.254.169.254:443', '10.0.0.1:443'],
])('refuses a tunnel or a request to %s', async (target) => {
  const host = target.replace('TRAP', String(site.trap.port))
  await expect(openTunnel(host).catch(() => 502)).resolves.not.toBe(200)
  // The status is 502 if the host is refused only after its name is resolved.
  expect([403, 502]).toContain(await askPage(`http://${host}/clip.mp4`))
  expect(site.trap.visits).toBe(0)
})

test.each(['1.1.1.1:25', '1.1.1.1:22', '1.1.1.1:0', '1.1.1.1'])(
  'refuses a port of another protocol: %s',
  async (target) => {
    expect(await openTunnel(target)).toBe(403)
  },
)

test('closes everything once the byte limit is exceeded', async () => {
  const small = await startProxy({ allow_private: true, bytes_max: 1000 })
  await runYtDlp(infoArguments(`${site.url}/clip.mp4`, 0), run, small)
  expect(small.exceeded()).toBe(true)
  expect(await openTunnel(new URL(site.url).host, small)).toBe(403)
  await small.close()
})
